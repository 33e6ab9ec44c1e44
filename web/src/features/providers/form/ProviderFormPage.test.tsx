import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { ProviderIn, ProviderTestIn } from "@/api/generated/config-api";
import { azureType, ollamaType, openAiType, provider } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import ProviderFormPage from "./ProviderFormPage";

const open = (path: string) =>
  renderAt(path, [
    { path: "/providers", element: <h1>The list</h1> },
    { path: "/providers/new", Component: ProviderFormPage },
    { path: "/providers/:providerId", Component: ProviderFormPage },
  ]);
const problem = (status: number, more: object = {}) =>
  HttpResponse.json({ title: "Refused", status, detail: "Not so.", ...more }, { status, headers: { "content-type": "application/problem+json" } });

beforeEach(() => {
  server.use(
    http.get("*/api/providers/types", () => HttpResponse.json({ items: [ollamaType, openAiType, azureType] })),
    http.get("*/api/providers", ({ request }) => {
      const isTaken = new URL(request.url).searchParams.get("name") === "Taken";
      return HttpResponse.json({ items: isTaken ? [provider({ id: "other", name: "Taken" })] : [], next_cursor: null });
    }),
    http.get("*/api/providers/:id", () => HttpResponse.json(provider())),
  );
});

test("a new provider begins with its type's defaults and is sent whole", async () => {
  let sent: ProviderIn | undefined;
  server.use(
    http.post("*/api/providers", async ({ request }) => {
      sent = (await request.json()) as ProviderIn;
      return HttpResponse.json(provider(), { status: 201 });
    }),
  );
  const { router } = open("/providers/new");
  await userEvent.selectOptions(await screen.findByLabelText("Type"), "OpenAI");
  expect(screen.getByLabelText("Base URL")).toHaveValue("https://api.openai.com");
  await userEvent.type(screen.getByLabelText(/^Name \(/), "Mine");
  await userEvent.type(screen.getByLabelText("API key"), "sk-1");
  await userEvent.click(screen.getByRole("button", { name: "Add the provider" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/providers"));
  expect(sent).toMatchObject({ name: "Mine", type: "OPENAI", base_url: "https://api.openai.com", headers: [{ header_key: "Authorization", is_secret: true, header_value: "Bearer sk-1" }] });
});

test("the form explains a type that this page does not know by name", async () => {
  server.use(
    http.get("*/api/providers/types", () =>
      HttpResponse.json({ items: [ollamaType, { ...azureType, type: "ACME", title: "Acme", description: "The hosted models of Acme.", lists_models: false }] }),
    ),
  );
  open("/providers/new");
  expect(await screen.findByText(/^Requests the list of models/)).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText("Type"), "Acme");
  expect(screen.getByLabelText("Type")).toHaveAccessibleDescription("The hosted models of Acme.");
  expect(screen.getByText(/^Sends one short question/)).toBeVisible();
});

test("a stored provider of a type that no longer exists shows its type", async () => {
  server.use(http.get("*/api/providers/provider-1", () => HttpResponse.json(provider({ type: "GONE" }))));
  open("/providers/provider-1");
  expect(await screen.findByLabelText("Type")).toHaveValue("GONE");
});

test("what is missing is said beside the field, a taken name when it is left", async () => {
  open("/providers/new");
  await userEvent.selectOptions(await screen.findByLabelText("Type"), "Azure OpenAI");
  await userEvent.click(screen.getByRole("button", { name: "Add the provider" }));
  expect(screen.getByLabelText(/^Base URL/)).toHaveAccessibleDescription(/for example https:\/\/my-resource/);
  await userEvent.type(screen.getByLabelText(/^Name \(/), "Taken");
  await userEvent.tab();
  await waitFor(() => expect(screen.getByLabelText(/^Name \(/)).toHaveAccessibleDescription("Another provider has this name."));
});

test("a stored secret is masked and replaced, never revealed; the change names its version", async () => {
  let sent: { ifMatch: string | null; body: ProviderIn } | undefined;
  server.use(
    http.put("*/api/providers/:id", async ({ request }) => {
      sent = { ifMatch: request.headers.get("if-match"), body: (await request.json()) as ProviderIn };
      return HttpResponse.json(provider({ version: 4 }));
    }),
  );
  const { router } = open("/providers/provider-1");
  expect(await screen.findByLabelText("API key")).toHaveValue("••••••••9f3c");
  await userEvent.click(screen.getByRole("button", { name: "Replace" }));
  expect(screen.getByLabelText("API key")).toHaveFocus();
  await userEvent.click(screen.getByRole("button", { name: "Keep the stored one" }));
  expect(screen.getByLabelText("API key")).toHaveValue("••••••••9f3c");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/providers"));
  expect(sent?.ifMatch).toBe('"3"');
  expect(sent?.body.headers?.[0]).toEqual({ header_key: "Authorization", is_secret: true });
});

test("somebody else's change is neither overwritten nor hidden", async () => {
  server.use(http.put("*/api/providers/:id", () => problem(412)));
  open("/providers/provider-1");
  await userEvent.type(await screen.findByLabelText(/^Name \(/), "!");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("This provider was changed elsewhere.")).toBeVisible();
  expect(screen.getByLabelText(/^Name \(/)).toHaveValue("My OpenAI!");
  server.use(http.get("*/api/providers/:id", () => HttpResponse.json(provider({ name: "Theirs", version: 4 }))));
  await userEvent.click(screen.getByRole("button", { name: "Reload" }));
  await waitFor(() => expect(screen.getByLabelText(/^Name \(/)).toHaveValue("Theirs"));
});

test("the server's complaint stands at its field, in a fold that opens", async () => {
  server.use(http.post("*/api/providers", () => problem(422, { errors: [{ field: "options.num_ctx", message: "is too large" }] })));
  open("/providers/new");
  await userEvent.type(await screen.findByLabelText(/^Name \(/), "Mine");
  await userEvent.click(screen.getByText("Options"));
  await userEvent.click(screen.getByRole("button", { name: "Add num_ctx" }));
  await userEvent.click(screen.getByText("Options"));
  await userEvent.click(screen.getByRole("button", { name: "Add the provider" }));
  expect(await screen.findByText("is too large")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Value of num_ctx"), "1");
  expect(screen.queryByText("is too large")).toBeNull();
});

test("a form is tested before it is saved; the result goes when the form changes", async () => {
  const sent: ProviderTestIn[] = [];
  const refused = { ok: false, latency_ms: null, models: [], problem: "Nothing listens at http://gpu:1.", cause: "refused", url: "http://gpu:1/v1/models" };
  server.use(
    http.post("*/api/providers/test", async ({ request }) => {
      sent.push((await request.json()) as ProviderTestIn);
      return HttpResponse.json(sent.length === 1 ? refused : { ...refused, ok: true, problem: null, latency_ms: 84, models: [{ id: "tiny" }, { id: "large" }] });
    }),
  );
  open("/providers/provider-1");
  await userEvent.click(await screen.findByRole("button", { name: "Test connection" }));
  expect(await screen.findByText("Nothing listens at http://gpu:1.")).toBeVisible();
  expect(sent[0]).toMatchObject({ id: "provider-1", headers: [{ header_key: "Authorization", is_secret: true }, {}] });
  await userEvent.type(screen.getByLabelText("Base URL"), "/v2");
  expect(screen.queryByText("Nothing listens at http://gpu:1.")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Test connection" }));
  expect(await screen.findByText(/in 84 ms · 2 models/)).toBeVisible();
  await userEvent.type(screen.getByRole("searchbox", { name: "Search the models" }), "lar{Enter}");
  expect(within(screen.getByRole("list", { name: "Models" })).getAllByRole("listitem")).toHaveLength(1);
});

test("what was not saved is not lost by a click", async () => {
  const { router } = open("/providers/provider-1");
  await userEvent.type(await screen.findByLabelText(/^Name \(/), "!");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(await screen.findByRole("heading", { name: "Leave without saving?" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Leave" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/providers"));
});
