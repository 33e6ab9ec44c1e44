import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { EvaluatorInfo, SuiteIn, SuiteOut } from "@/api/generated/config-api";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import SuiteEditorPage from "./SuiteEditorPage";

const AT = "2026-11-20T12:00:00Z";
const DEFINITION: SuiteIn = {
  name: "Nightly",
  aggregation: "mean",
  tasks: [
    { name: "sums", source: { collection: "Sums" }, evaluators: [{ kind: "contains", params: { texts: ["Answer"] } }] },
    { name: "replies", source: { collection: "Support" }, after: ["sums"] },
  ],
};

const CONTAINS = { kind: "contains", title: "Contains", description: "The answer contains it.", needs_judge: false, may_need_judge: false, params_schema: { properties: {} } } as unknown as EvaluatorInfo;

const suite = (over: Partial<SuiteOut> = {}): SuiteOut => ({
  id: "suite-1", family_id: "family-1", version: 1, created_at: AT, updated_at: AT, name: "Nightly", version_number: 2, status: "DRAFT", description: null, aggregation: "mean",
  task_count: 2, total_items: 8, categories: ["general"], needs_judge: false, published_at: null, definition: DEFINITION, tasks: [], ...over,
});

let sent: { body: SuiteIn; version: string | null }[];
let refuse: { field: string; message: string }[];

beforeEach(() => {
  sent = [];
  refuse = [];
  sessionStorage.clear();
  let version = 1;
  const take = async (request: Request) => {
    const body = (await request.json()) as SuiteIn;
    sent.push({ body, version: request.headers.get("if-match") });
    if (refuse.length > 0) return HttpResponse.json({ title: "Invalid suite", detail: "No.", errors: refuse }, { status: 422 });
    version += 1;
    return HttpResponse.json(suite({ version, definition: body }));
  };
  server.use(
    http.get("*/api/suites/:id", () => HttpResponse.json(suite({ version }))),
    http.put("*/api/suites/:id", ({ request }) => take(request)),
    http.post("*/api/suites", ({ request }) => take(request)),
    http.get("*/api/collections", () => HttpResponse.json({ items: [], next_cursor: null })),
    http.get("*/v1/datasets", () => HttpResponse.json({ datasets: [], total: 0 })),
    http.get("*/api/evaluators", () => HttpResponse.json({ items: [CONTAINS] })),
  );
});

const ROUTES = [
  { path: "/suites/new", Component: SuiteEditorPage },
  { path: "/suites/:suiteId/edit", Component: SuiteEditorPage },
  { path: "/suites/:suiteId", element: <p>The page of the suite</p> },
];

/** A machine at work is slow; nothing waits longer than needed. */
const SOON = { timeout: 15_000 };

const task = () => within(screen.getByRole("region", { name: /^Task \d of \d/ }));

test("a change is saved a moment later, on top of the version before", async () => {
  renderAt("/suites/suite-1/edit", ROUTES);
  expect(await screen.findByText("All changes are saved")).toBeVisible();
  expect(sent).toEqual([]);
  await userEvent.type(screen.getByRole("textbox", { name: "Description" }), "Soon");
  expect(screen.getByText("Saving…")).toBeVisible();
  expect(await screen.findByText("All changes are saved", {}, SOON)).toBeVisible();
  expect(sent.at(0)?.version).toBe('"1"');
  expect(sent.at(-1)?.body).toEqual({ ...DEFINITION, description: "Soon" });
});

test("Done saves what is not saved yet, and leaves", async () => {
  renderAt("/suites/suite-1/edit", ROUTES);
  await userEvent.type(await screen.findByRole("textbox", { name: "Description" }), "S");
  await userEvent.click(screen.getByRole("button", { name: "Done" }));
  expect(await screen.findByText("The page of the suite", {}, SOON)).toBeVisible();
  expect(sent.at(-1)?.body.description).toBe("S");
});

test("a refusal is shown at its field and at its task, until the field changes", async () => {
  refuse = [{ field: "tasks.1.epochs", message: "is too much" }];
  renderAt("/suites/suite-1/edit?task=2", ROUTES);
  await userEvent.type(await screen.findByRole("spinbutton", { name: "Epochs" }), "7");
  expect(await screen.findByText("is too much", {}, SOON)).toBeVisible();
  expect(screen.getByRole("link", { name: "replies" }).closest("li")).toHaveTextContent("1 fault");
  refuse = [];
  await userEvent.type(screen.getByRole("spinbutton", { name: "Epochs" }), "{Backspace}3");
  expect(await screen.findByText("All changes are saved", {}, SOON)).toBeVisible();
  expect(screen.queryByText("is too much")).toBeNull();
  expect(sent.at(-1)?.body.tasks[1]?.epochs).toBe(3);
});

test("what is incomplete is not sent; it survives a reload of the page", async () => {
  const first = renderAt("/suites/suite-1/edit", ROUTES);
  await userEvent.click(await screen.findByRole("button", { name: "Add a task" }));
  expect(task().getByRole("textbox", { name: /^Name ?\(required\)$/ })).toHaveFocus();
  expect(screen.getByText("Not saved yet. Choose the cases of task-3.")).toBeVisible();
  expect(sent).toEqual([]);
  act(() => first.unmount());
  renderAt("/suites/suite-1/edit?task=3", ROUTES);
  expect(await screen.findByText("Your unsaved changes are restored.")).toBeVisible();
  expect(task().getByRole("textbox", { name: /^Name ?\(required\)$/ })).toHaveValue("task-3");
  await userEvent.click(screen.getByRole("button", { name: "Discard it" }));
  expect(screen.queryByRole("link", { name: "task-3" })).toBeNull();
  expect(screen.getByText("All changes are saved")).toBeVisible();
});

test("a removed task leaves no trace in those behind it, and the keys step through the tasks", async () => {
  renderAt("/suites/suite-1/edit", ROUTES);
  await screen.findByText("All changes are saved");
  await userEvent.keyboard("j");
  expect(task().getByRole("textbox", { name: /^Name ?\(required\)$/ })).toHaveValue("replies");
  await userEvent.keyboard("k");
  await userEvent.click(task().getByRole("button", { name: "Remove this task" }));
  expect(await screen.findByText("All changes are saved", {}, SOON)).toBeVisible();
  expect(sent.at(-1)?.body.tasks).toEqual([{ name: "replies", source: { collection: "Support" } }]);
});

test("a new suite names what is missing, and is edited at its own address once it is made", async () => {
  const { router } = renderAt("/suites/new", ROUTES);
  await userEvent.click(await screen.findByRole("button", { name: "Create the draft" }));
  expect(screen.getByText("Name the suite.")).toBeVisible();
  expect(screen.getByText("Choose the cases of task-1.")).toBeVisible();
  await userEvent.type(screen.getAllByRole("textbox", { name: /^Name ?\(required\)$/ })[0]!, "Mine");
  await userEvent.selectOptions(task().getByRole("combobox", { name: "Cases of" }), "collection");
  await userEvent.type(task().getByRole("combobox", { name: /^Collection/ }), "Sums{Tab}");
  await userEvent.click(screen.getByRole("button", { name: "Create the draft" }));
  // The page of the new suite says that it is saved, too, before it gives way.
  expect(await screen.findByRole("heading", { name: "Edit Nightly" }, SOON)).toBeVisible();
  expect(screen.getByText("All changes are saved")).toBeVisible();
  expect(router.state.location.pathname).toBe("/suites/suite-1/edit");
  expect(sent).toEqual([{ body: { name: "Mine", aggregation: "mean", tasks: [{ name: "task-1", source: { collection: "Sums" } }] }, version: null }]);
});

test("a published version is not edited", async () => {
  server.use(http.get("*/api/suites/:id", () => HttpResponse.json(suite({ status: "PUBLISHED", published_at: AT }))));
  renderAt("/suites/suite-1/edit", ROUTES);
  expect(await screen.findByRole("link", { name: "Make a new version of it" })).toHaveAttribute("href", "/suites/suite-1");
});
