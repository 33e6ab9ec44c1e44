import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { PresetIn, PresetOut } from "@/api/generated/config-api";
import type { BaselineOut, CreateGate } from "@/api/generated/orchestrator";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import PresetPage from "./PresetPage";
import PresetsPage from "./PresetsPage";

const AT = "2026-11-20T12:00:00Z";
const SETTINGS = { max_concurrent_calls: 2, timeout_seconds: 60, max_retries: 3, max_conversation_history: 10, parallel_groups: 1 };

const preset = (more: Partial<PresetOut> = {}): PresetOut => ({
  id: "preset-1", version: 1, created_at: AT, updated_at: AT, name: "Nightly", description: "What runs each night.", settings: SETTINGS, notes: [],
  run: { concurrency: 2, timeout_s: 60, max_attempts: 4, max_conversation_history: 10, parallel_groups: 1 }, ...more,
});
const release = { id: "run-0", name: "Release" };
const baseline = (more: Partial<BaselineOut> = {}): BaselineOut => ({ id: "b", subject: { kind: "preset", id: "preset-1", name: "Nightly" }, label: "main", run: release, anchor: release, gates: [], probability_fine: null, created_at: AT, updated_at: AT, ...more });

const ROUTES = [
  { path: "/presets", Component: PresetsPage },
  { path: "/presets/:presetId", Component: PresetPage },
];

let all: PresetOut[];
let baselines: BaselineOut[];
beforeEach(() => {
  all = [];
  baselines = [];
  server.use(
    http.get("*/api/evaluation-presets", () => HttpResponse.json({ items: all, next_cursor: null })),
    http.get("*/api/evaluation-presets/:id", ({ params }) => {
      const found = all.find((one) => one.id === params.id);
      return found ? HttpResponse.json(found) : HttpResponse.json({ title: "Not found", status: 404, detail: "There is no such preset." }, { status: 404 });
    }),
    http.get("*/api/baselines", () => HttpResponse.json({ items: baselines, next_cursor: null })),
    http.get("*/api/baselines/b/history", () => HttpResponse.json({ items: [], next_cursor: null })),
    http.get("*/api/runs/run-0", () => HttpResponse.json({ evaluators: [] })),
  );
});

test("presets are listed with what they change and with their own baselines", async () => {
  all = [preset(), preset({ id: "preset-2", name: "Usual", description: null, settings: { ...SETTINGS, max_concurrent_calls: 10 } })];
  baselines = [baseline(), baseline({ id: "other", subject: { kind: "suite", id: "preset-2", name: "A suite" } })];
  renderAt("/presets", ROUTES);
  const row = await screen.findByRole("row", { name: /Nightly/ });
  expect(within(row).getByRole("link", { name: "Nightly" })).toHaveAttribute("href", "/presets/preset-1");
  expect(await within(row).findByText("0 gates")).toBeVisible();
  expect(within(row).getAllByRole("cell")[1]).toHaveTextContent("Calls at once: 2");
  expect(within(screen.getByRole("row", { name: /Usual/ })).getAllByRole("cell").map((cell) => cell.textContent).slice(1)).toEqual(["The defaults", "None"]);
});

test("a preset is made within its bounds, and opens", async () => {
  const sent: PresetIn[] = [];
  server.use(
    http.post("*/api/evaluation-presets", async ({ request }) => {
      sent.push((await request.json()) as PresetIn);
      all = [preset({ id: "new", name: "Careful" })];
      return HttpResponse.json(all[0], { status: 201 });
    }),
  );
  renderAt("/presets", ROUTES);
  expect(await screen.findByText("No presets yet")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "New preset" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByLabelText(/^Name/), " Careful ");
  const calls = dialog.getByLabelText("Calls at once");
  await userEvent.clear(calls);
  await userEvent.type(calls, "51");
  await userEvent.click(dialog.getByRole("button", { name: "Create" }));
  expect(dialog.getByText("Enter a whole number from 1 to 50.")).toBeVisible();
  expect(sent).toEqual([]);
  await userEvent.clear(calls);
  await userEvent.type(calls, "2");
  await userEvent.click(dialog.getByRole("button", { name: "Create" }));
  expect(await screen.findByRole("heading", { name: "Careful" })).toBeVisible();
  expect(sent).toEqual([{ name: "Careful", description: null, settings: SETTINGS }]);
});

test("the page of a preset has its settings, its baselines and a form for gates without tasks", async () => {
  all = [preset()];
  baselines = [baseline()];
  const asked: string[] = [];
  const sent: CreateGate[] = [];
  server.use(
    http.get("*/api/baselines", ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ items: baselines, next_cursor: null });
    }),
    http.post("*/api/baselines/b/gates", async ({ request }) => {
      sent.push((await request.json()) as CreateGate);
      return HttpResponse.json({ title: "A gate that cannot decide", status: 422, detail: "Ask 713 cases.", errors: [{ field: "margin", message: "Ask 713 cases." }] }, { status: 422 });
    }),
  );
  renderAt("/presets/preset-1", ROUTES);
  expect(await screen.findByRole("listitem", { name: "Baseline main" })).toBeVisible();
  expect(asked).toEqual(["?subject_kind=preset&subject_id=preset-1"]);
  expect(within(screen.getByLabelText("The preset")).getByText("Calls at once").nextSibling).toHaveTextContent("2");
  expect(screen.getByRole("link", { name: "New run" })).toHaveAttribute("href", "/runs/new?preset=preset-1");
  await userEvent.click(screen.getByRole("button", { name: "Add a gate" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.queryByLabelText("Of")).toBeNull();
  await userEvent.click(dialog.getByRole("button", { name: "Save the gate" }));
  expect((await dialog.findAllByText(/Ask 713 cases/))[0]).toBeVisible();
  expect(sent).toEqual([{ metric: "score", margin: 0.05, undecided: "fail", cluster_by: null }]);
});

test("a preset with a baseline is not deleted, with the reason", async () => {
  all = [preset()];
  server.use(http.delete("*/api/evaluation-presets/preset-1", () => HttpResponse.json({ title: "In use", status: 409, detail: "Delete its baselines first." }, { status: 409 })));
  renderAt("/presets/preset-1", ROUTES);
  await userEvent.click(await screen.findByRole("button", { name: "More about the preset" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete…" }));
  await userEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Delete it" }));
  expect(await screen.findByText(/Delete its baselines first/)).toBeVisible();
});

test("an unknown preset leads back to the list", async () => {
  renderAt("/presets/gone", ROUTES);
  expect(await screen.findByText("There is no such preset")).toBeVisible();
});
