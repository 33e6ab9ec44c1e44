import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { useLocation } from "react-router";
import { beforeEach, expect, test } from "vitest";
import type { SuiteOut, SuitePage as Page, TaskFacts } from "@/api/generated/config-api";
import type { BaselineOut, BenchmarkStarted, ChangeGate, CreateGate, PlanOut, SavedGate, StartBenchmark } from "@/api/generated/orchestrator";
import { session } from "@/lib/rights";
import { provider } from "@/testing/config-samples";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import SuitePage from "./SuitePage";
import SuitesPage from "./SuitesPage";

const AT = "2026-11-20T12:00:00Z";

const facts = (name: string, level: number, more: Partial<TaskFacts> = {}): TaskFacts => ({
  name, category: "arithmetic", level, dataset_version_id: "version-1", collection_id: null, source_name: "Sums", source_version: 2, cases: 20, items: 20, needs_judge: false, ...more,
});

function suite(more: Partial<SuiteOut> = {}): SuiteOut {
  return {
    id: "suite-1", family_id: "family-1", version: 1, created_at: AT, updated_at: AT, name: "Nightly", version_number: 2, status: "DRAFT", description: "Before we use a model.", aggregation: "weighted", task_count: 2,
    total_items: 60, categories: ["arithmetic", "language"], needs_judge: true, published_at: null,
    definition: {
      name: "Nightly",
      tasks: [
        { name: "sums", category: "arithmetic", source: { dataset: "Sums" }, evaluators: [{ kind: "numeric", weight: 2, pass_threshold: 0.5 }], params: { temperature: 0 } },
        { name: "replies", category: "language", source: { collection: "Support" }, sample: { size: 40, strategy: "stratified" }, after: ["sums"], weight: 3 },
      ],
    },
    tasks: [facts("sums", 0), facts("replies", 1, { category: "language", collection_id: "c", source_name: "Support", source_version: null, cases: 40, items: 40, needs_judge: true })],
    ...more,
  };
}

const PLAN: PlanOut = {
  suite: { suite_id: "suite-1", name: "Nightly", version: "2", task_count: 2 }, models: [], levels: [["sums"], ["replies"]], tasks: [], total_batches: 2, total_tasks: 2, total_items: 60,
  execution_plan: [{ batch_id: 0, level: 0, tasks: ["sums"], estimated_duration: 60 }, { batch_id: 1, level: 1, tasks: ["replies"], estimated_duration: null }],
  total_estimated_duration: null, estimated_seconds: null, estimated_cost_usd: 0.5, notes: ["No time is known for replies."],
};
const STARTED: BenchmarkStarted = { run_id: "run-1", status: "QUEUED", run_status: "RUNNING", suite: PLAN.suite, estimated_completion: null, warnings: [] };

const ROUTES = [
  { path: "/suites", Component: SuitesPage },
  { path: "/suites/:suiteId", Component: SuitePage },
  { path: "/runs/schedules", Component: () => <p>Handed over: {JSON.stringify((useLocation() as { state: unknown }).state)}</p> },
  { path: "/runs/:runId", Component: () => <p>The page of the run</p> },
];

let all: SuiteOut[];
let baselines: BaselineOut[];
beforeEach(() => {
  all = [];
  baselines = [];
  server.use(
    http.get("*/api/suites", () => HttpResponse.json({ items: all, next_cursor: null } satisfies Page)),
    http.get("*/api/suites/:id", ({ params }) => {
      const found = all.find((one) => one.id === params.id);
      return found ? HttpResponse.json(found) : HttpResponse.json({ title: "Not found", status: 404, detail: "There is no such suite." }, { status: 404 });
    }),
    http.get("*/api/suites/:id/versions", () => HttpResponse.json({ items: all, next_cursor: null } satisfies Page)),
    http.get("*/api/baselines", () => HttpResponse.json({ items: baselines, next_cursor: null })),
    http.get("*/api/runs/run-0", () => HttpResponse.json({ evaluators: [] })),
    http.get("*/api/providers", () => HttpResponse.json({ items: [provider({ id: "provider-1", name: "Mock" })], next_cursor: null })),
    http.get("*/api/providers/:id/models", () => HttpResponse.json({ supported: true, models: [{ id: "model-a" }, { id: "model-b" }] })),
  );
});

test("a suite names the person who created it", async () => {
  session.set({ auth: "on", signed_in: true, first_owner_needed: false, role: "viewer", allowed: ["members:read"] });
  server.use(http.get("*/api/members", () => HttpResponse.json({ items: [{ id: "ada", name: "Ada", email: "ada@example.org", role: "owner", created_at: AT }], next_cursor: null })));
  all = [suite({ created_by: "ada" })];
  renderAt("/suites/suite-1", ROUTES);
  const shown = await screen.findByLabelText("The suite");
  expect(await within(shown).findByText("Created by")).toBeVisible();
  expect(within(shown).getByText("Ada")).toBeVisible();
});

test("suites are listed with their newest version, tasks, cases and state", async () => {
  all = [suite()];
  renderAt("/suites", ROUTES);
  const row = await screen.findByRole("row", { name: /Nightly/ });
  expect(within(row).getByRole("link", { name: "Nightly" })).toHaveAttribute("href", "/suites/suite-1");
  expect(within(row).getAllByRole("cell").map((cell) => cell.textContent).slice(1)).toEqual(["2", "2", "60", "Draft"]);
});

test("without suites the page names the commands that make some", async () => {
  renderAt("/suites", ROUTES);
  expect(await screen.findByText("llmbench suites apply suite.yaml")).toBeVisible();
  expect(screen.getByText("llmbench suites add")).toBeVisible();
});

test("a version shows its tasks by level, and what each consists of", async () => {
  all = [suite(), suite({ id: "suite-0", version_number: 1, status: "PUBLISHED", published_at: AT })];
  renderAt("/suites/suite-1", ROUTES);
  const levels = within(await screen.findByRole("list", { name: "Tasks by level" }));
  expect(within(levels.getByRole("listitem", { name: "Level 1" })).getByRole("link", { name: "sums" })).toHaveAttribute("href", "/suites/suite-1#task-1");
  expect(levels.getByRole("listitem", { name: "Level 2" })).toHaveTextContent("after sums");
  const definitions = within(screen.getByRole("list", { name: "Definitions of the tasks" }));
  const [sums, replies] = definitions.getAllByRole("listitem");
  expect(sums).toHaveTextContent("Dataset Sums, version 2");
  expect(sums).toHaveTextContent("numeric (weight 2, passes from 0.5)");
  expect(sums).toHaveTextContent("temperature 0");
  expect(replies).toHaveTextContent("Collection Support");
  expect(replies).toHaveTextContent("40 cases by category");
  expect(replies).toHaveTextContent("The checks of each case, or the rubric");
  expect(await screen.findByRole("link", { name: "Version 1" })).toHaveAttribute("href", "/suites/suite-0");
  await userEvent.click(levels.getByRole("link", { name: "replies" }));
  expect(replies).toHaveFocus();
});

test("a draft is published after a confirmation, and can run then", async () => {
  all = [suite()];
  server.use(
    http.post("*/api/suites/:id/publish", () => {
      all = [suite({ status: "PUBLISHED", published_at: AT })];
      return HttpResponse.json(all[0]);
    }),
  );
  renderAt("/suites/suite-1", ROUTES);
  await userEvent.click(await screen.findByRole("button", { name: "Publish" }));
  await userEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Publish it" }));
  expect(await screen.findByRole("button", { name: "Run it" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Publish" })).toBeNull();
});

test("a run of two models shows its plan, and starts", async () => {
  const sent: StartBenchmark[] = [];
  all = [suite({ status: "PUBLISHED", published_at: AT })];
  server.use(
    http.post("*/v1/benchmarks/runs", async ({ request }) => {
      sent.push((await request.json()) as StartBenchmark);
      const isPlan = new URL(request.url).searchParams.get("dry_run") === "true";
      return isPlan ? HttpResponse.json(PLAN) : HttpResponse.json(STARTED, { status: 201 });
    }),
  );
  renderAt("/suites/suite-1", ROUTES);
  await userEvent.click(await screen.findByRole("button", { name: "Run it" }));
  const dialog = within(await screen.findByRole("dialog"));
  const choose = async (group: string, model: string) => {
    const fields = within(dialog.getByRole("group", { name: group }));
    if (!(fields.getByLabelText("Provider") as HTMLSelectElement).value) await userEvent.selectOptions(fields.getByLabelText("Provider"), await fields.findByRole("option", { name: "Mock" }));
    await userEvent.type(fields.getByRole("combobox", { name: "Model" }), model);
    await userEvent.keyboard("{Enter}");
  };
  await choose("Model", "model-a");
  await userEvent.click(dialog.getByRole("button", { name: "Show the plan" }));
  expect(await dialog.findByText("Choose a provider.")).toBeVisible();
  expect(sent).toEqual([]);
  await choose("Judge", "model-c");
  await userEvent.click(dialog.getByRole("button", { name: "Another model" }));
  await choose("Model 2", "model-b");
  await userEvent.click(dialog.getByRole("button", { name: "Show the plan" }));
  const plan = within(await dialog.findByRole("region", { name: "Plan" }));
  expect(plan.getAllByRole("listitem").map((one) => one.textContent)).toEqual(["Batch 1: sums1 min 00 s", "Batch 2: replies–", "No time is known for replies."]);
  await userEvent.click(dialog.getByRole("button", { name: "Start the run" }));
  expect(await screen.findByText("The page of the run")).toBeVisible();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual({
    suite_id: "suite-1",
    models: [{ provider: "provider-1", name: "model-a" }, { provider: "provider-1", name: "model-b" }],
    judge: { provider: "provider-1", name: "model-c" },
  });
});

const release = { id: "run-0", name: "Release" };
const baseline = (more: Partial<BaselineOut> = {}): BaselineOut => ({ id: "b", subject: { kind: "suite", id: "family-1", name: "Nightly" }, label: "main", run: release, anchor: release, gates: [], probability_fine: null, created_at: AT, updated_at: AT, ...more });
const gate = (more: Partial<SavedGate> = {}): SavedGate => ({
  id: "g", baseline_id: "b", metric: "score", task: null, title: "suite score", relative: false, margin: 0.05, undecided: "fail", cluster_by: null, probability_fine: 0.914, clusters: 240, holds: true, created_at: AT, updated_at: AT, ...more,
});

test("the page shows the baselines of all versions with their gates and their history", async () => {
  all = [suite()];
  baselines = [baseline({ run: { id: "run-9", name: "Newer" }, gates: [gate(), gate({ id: "g-2", metric: "cost", title: "cost", relative: true })], probability_fine: 0.835 })];
  const asked: string[] = [];
  server.use(
    http.get("*/api/baselines", ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ items: baselines, next_cursor: null });
    }),
    http.get("*/api/baselines/b/history", () => HttpResponse.json({ items: [{ id: "p", run_id: null, run_name: "Gone", role: "both", note: "the release", created_by: null, created_at: AT }], next_cursor: null })),
    http.delete("*/api/gates/g", () => {
      baselines = [baseline()];
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderAt("/suites/suite-1", ROUTES);
  const shown = within(await screen.findByRole("listitem", { name: "Baseline main" }));
  expect(asked).toEqual(["?subject_kind=suite&subject_id=family-1"]);
  expect(shown.getByRole("link", { name: "Newer" })).toHaveAttribute("href", "/runs/run-9");
  expect(shown.getByRole("link", { name: "Release" })).toHaveAttribute("href", "/runs/run-0");
  expect(within(shown.getByRole("list", { name: "Gates of main" })).getAllByRole("listitem")[0]).toHaveTextContent("Suite scoremargin 5 pointsFine in 91 of 100 if unchanged240 clusters");
  expect(await screen.findByRole("list", { name: "History of main", hidden: true })).toHaveTextContent("Gone (removed) became baseline and anchor: the release");
  expect(shown.getByText("An unchanged model is fine by all of them in at least 83 of 100 runs.")).toBeVisible();
  await userEvent.click(shown.getByRole("button", { name: "Delete the gate on suite score" }));
  await userEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Delete it" }));
  expect(await screen.findByText("No gate yet, so no run is compared with it.")).toBeVisible();
});

test("a gate that could not decide is refused with what it needs, and a better one is saved", async () => {
  all = [suite()];
  baselines = [baseline()];
  const sent: CreateGate[] = [];
  server.use(
    http.get("*/api/baselines/b/history", () => HttpResponse.json({ items: [], next_cursor: null })),
    http.post("*/api/baselines/b/gates", async ({ request }) => {
      sent.push((await request.json()) as CreateGate);
      const problem = { title: "A gate that cannot decide", status: 422, detail: "80 of 100 are needed. Ask 713 cases.", errors: [{ field: "margin", message: "Ask 713 cases." }] };
      if (sent.length === 1) return HttpResponse.json(problem, { status: 422 });
      baselines = [baseline({ gates: [gate({ task: "sums", title: "pass rate of the task 'sums'" })] })];
      return HttpResponse.json(baselines[0]!.gates[0], { status: 201 });
    }),
  );
  renderAt("/suites/suite-1", ROUTES);
  await userEvent.click(await screen.findByRole("button", { name: "Add a gate" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.selectOptions(dialog.getByLabelText("Metric"), "pass_rate");
  await userEvent.selectOptions(dialog.getByLabelText("Of"), "sums");
  await userEvent.click(dialog.getByRole("button", { name: "Save the gate" }));
  expect((await dialog.findAllByText(/Ask 713 cases/))[0]).toBeVisible();
  await userEvent.clear(dialog.getByLabelText("Margin in points of 100"));
  await userEvent.type(dialog.getByLabelText("Margin in points of 100"), "7");
  await userEvent.click(dialog.getByRole("button", { name: "Save the gate" }));
  expect(await screen.findByText("Pass rate of the task 'sums'")).toBeVisible();
  const sums = { metric: "pass_rate", task: "sums", undecided: "fail", cluster_by: null };
  expect(sent).toEqual([{ ...sums, margin: 0.05 }, { ...sums, margin: 0.07 }]);
});

test("a gate is changed and tried, and its baseline is deleted after a confirmation", async () => {
  all = [suite()];
  baselines = [baseline({ gates: [gate({ undecided: "ok", cluster_by: "author" })] })];
  const sent: ChangeGate[] = [];
  const target = { target_id: "t", label: "model-a", basis: "epochs of the same case", checks: 200, fine: 183, undecided: 17, worse: 0, lower_than_baseline: 100, clusters: 240, cases: 240, coverage: 1, probability_fine: 0.91, holds: true, clusters_needed: null, margin_needed: null, sentence: "0 false alarms in 200." };
  server.use(
    http.get("*/api/baselines/b/history", () => HttpResponse.json({ items: [], next_cursor: null })),
    http.patch("*/api/gates/g", async ({ request }) => {
      sent.push((await request.json()) as ChangeGate);
      baselines = [baseline({ gates: [gate({ margin: 0.08 })] })];
      return HttpResponse.json(baselines[0]!.gates[0]);
    }),
    http.post("*/api/gates/g/check", () => HttpResponse.json({ targets: [target], judge_checks: [{ run_id: "run-0", sentence: "The judge scores 10 stored answers again." }] })),
    http.delete("*/api/baselines/b", () => {
      baselines = [];
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderAt("/suites/suite-1", ROUTES);
  await userEvent.click(await screen.findByRole("button", { name: "Change the gate on suite score" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change the gate on suite score" }));
  expect(dialog.getByLabelText("Cluster by")).toHaveValue("author");
  expect(dialog.queryByLabelText("Metric")).toBeNull();
  await userEvent.clear(dialog.getByLabelText("Margin in points of 100"));
  await userEvent.type(dialog.getByLabelText("Margin in points of 100"), "8");
  await userEvent.click(dialog.getByLabelText("Let an undecided run pass"));
  await userEvent.clear(dialog.getByLabelText("Cluster by"));
  await userEvent.click(dialog.getByRole("button", { name: "Save the gate" }));
  expect(await screen.findByText("margin 8 points")).toBeVisible();
  expect(sent).toEqual([{ margin: 0.08, undecided: "fail", cluster_by: null }]);

  await userEvent.click(screen.getByRole("button", { name: "Try the gate on suite score" }));
  const trial = within(await screen.findByRole("dialog", { name: "Try the gate on suite score" }));
  expect(await trial.findByText("200 comparisons: 183 fine, 17 undecided, 0 worse")).toBeVisible();
  expect(trial.getByText("The judge scores 10 stored answers again.")).toBeVisible();
  await userEvent.click(trial.getByRole("button", { name: "Close" }));

  await userEvent.click(await screen.findByRole("button", { name: "Delete the baseline main" }));
  const question = within(await screen.findByRole("alertdialog"));
  expect(question.getByText(/Its gates and its history are deleted with it/)).toBeVisible();
  await userEvent.click(question.getByRole("button", { name: "Delete it" }));
  expect(await screen.findByText(/There is none yet/)).toBeVisible();
});

test("a run of a suite is handed over to be scheduled", async () => {
  all = [suite({ status: "PUBLISHED", published_at: AT, needs_judge: false })];
  renderAt("/suites/suite-1", ROUTES);
  await userEvent.click(await screen.findByRole("button", { name: "Run it" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.selectOptions(dialog.getByLabelText("Provider"), await dialog.findByRole("option", { name: "Mock" }));
  await userEvent.type(dialog.getByRole("combobox", { name: "Model" }), "model-a");
  await userEvent.keyboard("{Enter}");
  await userEvent.click(dialog.getByRole("button", { name: "Schedule it…" }));
  const request = { suite_id: "suite-1", models: [{ provider: "provider-1", name: "model-a" }] };
  expect(await screen.findByText(`Handed over: ${JSON.stringify({ what: { kind: "suite", request } })}`)).toBeVisible();
});
