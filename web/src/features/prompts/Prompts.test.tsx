import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { PreviewIn, PreviewOut, PromptIn, PromptOut, PromptVersionIn, PromptVersionOut } from "@/api/generated/config-api";
import { collection } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import PromptEditorPage from "./edit/PromptEditorPage";
import { namesIn, typedDefault } from "./prompt-words";
import PromptPage from "./PromptPage";
import PromptsPage from "./PromptsPage";

const AT = "2026-11-20T12:00:00Z";

const version = (number: number, more: Partial<PromptVersionOut> = {}): PromptVersionOut => ({
  id: `version-${number}`, prompt_id: "prompt-1", number, system_template: null, user_template: "{{question}} Answer {{tone}}.", variables: [{ name: "question" }, { name: "tone" }], content_hash: "ab".repeat(32), notes: null, created_at: AT, ...more,
});
const VERSIONS = [
  version(2, { user_template: "{{question}} Answer {{tone}}, please.", variables: [{ name: "question" }, { name: "tone", type: "string", default: "briefly" }], notes: "Politer." }),
  version(1),
];
const PROMPT: PromptOut = { id: "prompt-1", version: 2, created_at: AT, updated_at: AT, name: "Brief", description: null, newest: VERSIONS[0]! };

const ROUTES = [
  { path: "/prompts", Component: PromptsPage },
  { path: "/prompts/new", Component: PromptEditorPage },
  { path: "/prompts/:promptId", Component: PromptPage },
  { path: "/prompts/:promptId/edit", Component: PromptEditorPage },
];

let prompts: PromptOut[];
let previewed: PreviewIn[];
let answer: PreviewOut;
beforeEach(() => {
  prompts = [PROMPT];
  previewed = [];
  answer = { variables: [{ name: "question", required: true }, { name: "tone", required: true }], cases: [{ task_id: "sums-1", system: null, user: "What is 1 + 1? Answer briefly.", error: null, variable: null }] };
  server.use(
    http.get("*/api/prompts", () => HttpResponse.json({ items: prompts, next_cursor: null })),
    http.get("*/api/prompts/:id", () => HttpResponse.json(PROMPT)),
    http.get("*/api/prompts/:id/versions", () => HttpResponse.json({ items: VERSIONS, next_cursor: null })),
    http.get("*/api/collections", () => HttpResponse.json({ items: [collection({ id: "collection-1", name: "Sums", task_count: 3 })], next_cursor: null })),
    http.get("*/v1/datasets", () => HttpResponse.json({ datasets: [], total: 0, has_more: false })),
    http.post("*/api/prompts/preview", async ({ request }) => {
      const body = (await request.json()) as PreviewIn;
      previewed.push(body);
      return HttpResponse.json(body.collection_id ? answer : { ...answer, cases: [] });
    }),
  );
});

test("prompts are listed with their newest version and its variables", async () => {
  renderAt("/prompts", ROUTES);
  const row = await screen.findByRole("row", { name: /Brief/ });
  expect(within(row).getByRole("link", { name: "Brief" })).toHaveAttribute("href", "/prompts/prompt-1");
  expect(within(row).getAllByRole("cell").map((cell) => cell.textContent).slice(1, 3)).toEqual(["2", "question, tone"]);
});

test("without prompts the page leads to the editor", async () => {
  prompts = [];
  renderAt("/prompts", ROUTES);
  expect(await screen.findByRole("link", { name: "Write a prompt" })).toHaveAttribute("href", "/prompts/new");
});

test("a version is compared word by word with another one", async () => {
  renderAt("/prompts/prompt-1", ROUTES);
  expect(await screen.findByText("briefly")).toBeVisible();
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Compare version 2 with" }), "Version 1");
  const changes = await screen.findByRole("region", { name: "Changes from version 1 to version 2" });
  expect(await within(changes).findByText(/please/)).toContainHTML("<ins");
  expect(within(changes).getByText("Politer.")).toBeVisible();
  expect(within(changes).queryByText("System message")).not.toBeInTheDocument();
});

test("a new version is previewed on the first cases while it is written, and saved with its defaults", async () => {
  let sent: PromptVersionIn | undefined;
  server.use(http.post("*/api/prompts/:id/versions", async ({ request }) => {
    sent = (await request.json()) as PromptVersionIn;
    return HttpResponse.json(version(3), { status: 201 });
  }));
  renderAt("/prompts/prompt-1/edit", ROUTES);
  expect(await screen.findByText("What is 1 + 1? Answer briefly.")).toBeVisible();
  expect(previewed.at(-1)).toMatchObject({ collection_id: "collection-1", limit: 3, user_template: VERSIONS[0]!.user_template });

  const tone = await screen.findByRole("group", { name: "tone" });
  await userEvent.type(within(tone).getByRole("textbox", { name: "Default" }), "kindly");
  await userEvent.type(screen.getByRole("textbox", { name: /^User message/ }), " Thanks.");
  answer = { ...answer, cases: [{ task_id: "sums-2", system: null, user: null, error: "the case has no 'question'", variable: "question" }] };
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Cases" }), "First 10");
  expect(await screen.findByText("the case has no 'question'")).toBeVisible();
  expect(await screen.findByText("1 case cannot be rendered")).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: "Save as version 3" }));
  expect(await screen.findByRole("heading", { name: "Brief" })).toBeVisible();
  expect(sent?.user_template).toBe("{{question}} Answer {{tone}}, please. Thanks.");
  expect(sent?.variables?.find(({ name }) => name === "tone")).toEqual({ name: "tone", type: "string", default: "kindly", required: true, description: null });
});

test("the error of a template is shown at its field, and a refused name at the name", async () => {
  server.use(
    http.post("*/api/prompts/preview", () => HttpResponse.json({ title: "Invalid prompt", status: 422, detail: "unclosed section", errors: [{ field: "user_template", message: "unclosed section" }] }, { status: 422 })),
    http.post("*/api/prompts", async ({ request }) => {
      const { name } = (await request.json()) as PromptIn;
      return HttpResponse.json({ title: "Already exists", status: 409, detail: `There is ${name}.`, errors: [{ field: "name", message: "is taken" }] }, { status: 409 });
    }),
  );
  renderAt("/prompts/new", ROUTES);
  const user = await screen.findByRole("textbox", { name: /^User message/ });
  await userEvent.type(user, "{{{{#a}}");
  expect(await screen.findByText("unclosed section")).toBeVisible();
  expect(user).toBeInvalid();
  await userEvent.type(screen.getByRole("textbox", { name: /^Name/ }), "Brief");
  await userEvent.click(screen.getByRole("button", { name: "Create the prompt" }));
  expect(await screen.findByText("is taken")).toBeVisible();
});

test("typed defaults have the type of their variable", () => {
  expect([typedDefault("number", "4"), typedDefault("boolean", "true"), typedDefault("list", '["a"]'), typedDefault("string", "4"), typedDefault("number", "four"), typedDefault("string", "")]).toEqual([4, true, ["a"], "4", "four", null]);
});

test("names are found in tags and sections", () => {
  expect([...namesIn("{{a}} {{#b-c}}{{.}}{{/b-c}}", "{{^ d }}x{{/d}}{{{e}}}{{!no}}")].toSorted()).toEqual(["a", "b-c", "d", "e"]);
});
