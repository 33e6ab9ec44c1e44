import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { DocumentOut } from "@/api/generated/config-api";
import { provider } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { answers, server } from "@/testing/server";
import { WriteQuestions } from "./WriteQuestions";

const handbook: DocumentOut = {
  document_id: "document-1", name: "Hand\u202ebook", description: null, format: "markdown", file_name: "handbook.md", file_bytes: 107, file_uri: "file:x", content_hash: "0",
  page_count: 2, character_count: 106, empty_page_count: 0, created_at: "2026-01-01T12:00:00.000Z",
};
const open = () => renderAt("/", [{ path: "/", element: <WriteQuestions document={handbook} /> }]);

test("providers that cannot be listed are asked for again", async () => {
  server.use(answers.problem("*/api/providers", { title: "Unavailable", status: 503, detail: "The service is starting." }));
  open();
  expect(await screen.findByRole("alert")).toHaveTextContent("The service is starting.");
  server.use(http.get("*/api/providers", () => HttpResponse.json({ items: [], next_cursor: null })));
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "Add a provider first" })).toBeVisible();
});

test("the dataset's usual name is shown, and a refusal goes with its cause", async () => {
  const errors = [{ field: "last_page", message: "is before the first page" }];
  server.use(
    http.get("*/api/providers", () => HttpResponse.json({ items: [provider()], next_cursor: null })),
    http.get("*/api/providers/provider-1/models", () => HttpResponse.json({ models: [{ id: "tiny" }], latency_ms: 3, supported: true })),
    http.post("*/v1/documents/document-1/publish", () => HttpResponse.json({ title: "Invalid request", status: 422, detail: "…", errors }, { status: 422 })),
  );
  open();
  expect(await screen.findByPlaceholderText("Hand⟨U+202E⟩book: chunks")).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText("Provider"), "My OpenAI");
  await userEvent.type(screen.getByRole("combobox", { name: "Model" }), "tiny");
  await userEvent.tab();
  await userEvent.type(screen.getByLabelText("To page"), "1");
  await userEvent.click(screen.getByRole("button", { name: "Start the run" }));
  await waitFor(() => expect(screen.getByLabelText("To page")).toHaveAccessibleDescription("is before the first page"));
  await userEvent.clear(screen.getByLabelText("To page"));
  expect(screen.getByLabelText("To page")).toBeValid();
});
