import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { ProviderOut } from "@/api/generated/config-api";
import { openAiType, provider } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { answers, server } from "@/testing/server";
import ProvidersPage from "./ProvidersPage";

const open = (path = "/providers") => renderAt(path, [{ path: "/providers", Component: ProvidersPage }]);
const stored = (...items: ProviderOut[]) => http.get("*/api/providers", () => HttpResponse.json({ items, next_cursor: null }));

beforeEach(() => server.use(http.get("*/api/providers/types", () => HttpResponse.json({ items: [openAiType] }))));

test("a provider is a card with its facts, and its secret is a mask", async () => {
  server.use(stored(provider({ prices: [{ model: "m", input_usd_per_million: 1, output_usd_per_million: 2 }] })));
  open();
  expect(await screen.findByRole("link", { name: "My OpenAI" })).toHaveAttribute("href", "/providers/provider-1");
  for (const text of ["OpenAI", "••••••••9f3c", "proj_1", "your own for 1 model"]) expect(screen.getByText(text)).toBeVisible();
});

test("a test tells the actual error", async () => {
  server.use(
    stored(provider()),
    http.post("*/api/providers/:id/test", () => HttpResponse.json({ ok: false, latency_ms: null, models: [], problem: "The key is not accepted.", cause: "auth", url: "https://api.openai.com/v1/models" })),
  );
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Test connection of My OpenAI" }));
  expect(await screen.findByText("The key is not accepted.")).toBeVisible();
});

test("deletion needs a word, and a refusal names the runs", async () => {
  const runs = [{ id: "run-1", name: "Nightly" }];
  server.use(
    stored(provider()),
    http.delete("*/api/providers/:id", () => HttpResponse.json({ title: "Provider in use", status: 409, detail: "Delete the runs first: 'Nightly'.", runs }, { status: 409 })),
  );
  open();
  await userEvent.click(await screen.findByRole("button", { name: "More about My OpenAI" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete…" }));
  await userEvent.type(await screen.findByRole("textbox"), "delete{Enter}");
  expect(await screen.findByRole("link", { name: "Nightly" })).toHaveAttribute("href", "/runs/run-1");
  expect(screen.getByRole("alert")).toHaveTextContent("Provider in use");
});

test("without providers it says what to do next; without a server what went wrong", async () => {
  server.use(stored());
  const view = open();
  expect(await screen.findByRole("link", { name: "Add the first one" })).toHaveAttribute("href", "/providers/new");
  view.unmount();
  server.use(answers.problem("*/api/providers", { title: "Service unavailable", status: 503, detail: "The database does not answer." }));
  open();
  expect(await screen.findByRole("alert")).toHaveTextContent("The database does not answer.");
});
