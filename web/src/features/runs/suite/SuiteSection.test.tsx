import { act, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { SuiteOfRun, SuiteResultOut, SuiteTaskOut, TaskResultOut } from "@/api/generated/orchestrator";
import { renderAt } from "@/testing/render";
import { liveRow, runDetail } from "@/testing/samples";
import { server } from "@/testing/server";
import { RunStore } from "@/live/run-store";
import { categoriesOf, sentence } from "./suite-scores";
import { SuiteSection } from "./SuiteSection";
import { countResults, countRows, stateLook } from "./task-states";

const NO_SCORE = { score: null, interval: null, note: null };

const task = (name: string, category: string): SuiteTaskOut => ({
  name, category, level: 0, after: [], gate: [], source_name: "Sums", source_version: 1, source_cases: 4, cases: 4, epochs: 1, weight: 1, sample: null, estimated_seconds: null,
});

const result = (name: string, category: string, over: Partial<TaskResultOut> = {}): TaskResultOut => ({
  ...NO_SCORE, task: name, category, state: "COMPLETED", items: 4, completed: 4, failed: 0, skipped: 0, gates: [], skipped_because: null, scored: 4, clusters: 4, verdicts: 4, passed: 3, pass_rate: 0.75, pass_rate_interval: null, cost_usd: null, ...over,
});

const target: SuiteResultOut = {
  score: 0.75, interval: { low: 0.6, high: 0.9 }, note: "all scores of sums are the same", target_id: "target-1", label: "tiny", model: "tiny", complete: false,
  missing: [{ task: "replies", reason: "no answer has a score" }], completeness: "1 of 2 tasks has no score: replies", scored: 4, items: 8, skipped: 0,
  categories: [{ score: 0.75, interval: null, note: null, category: "arithmetic", tasks: ["sums"] }],
  tasks: [result("sums", "arithmetic", { score: 0.75 }), result("replies", "language", { state: "FAILED", scored: 0, failed: 4 })],
};

const SUITE: SuiteOfRun = {
  run_id: "run-1", run_status: "FINISHED", suite_id: "suite-1", name: "Nightly", version_number: 2, aggregation: "macro", task_count: 2, left_out: [],
  tasks: [task("sums", "arithmetic"), task("replies", "language")], targets: [target],
};

test("the score of a suite stands beside what it leaves out, and each task leads to its items", async () => {
  server.use(http.get("*/api/runs/:runId/suite", () => HttpResponse.json(SUITE)));
  const run = runDetail({ status: "FINISHED", outcome: "partial" });
  const store = new RunStore();
  renderAt("/?status=FAILED", [{ path: "/", Component: () => <SuiteSection run={run} store={store} suite={{ suite_id: "suite-1", name: "Nightly", version_number: 2 }} /> }]);
  expect(screen.getByRole("link", { name: "Its definition" })).toHaveAttribute("href", "/suites/suite-1");
  const scores = await screen.findByRole("list", { name: "Scores of the suite" });
  expect(scores).toHaveTextContent("1 of 2 tasks has no score: replies.");
  expect(scores).toHaveTextContent("All scores of sums are the same.");
  expect(scores).toHaveTextContent("75");
  const replies = within(screen.getByRole("row", { name: /^replies/ }));
  expect(replies.getByText("no answer has a score")).toBeVisible();
  expect(replies.getByRole("link", { name: "replies" })).toHaveAttribute("href", "/runs/items?suite_task=replies");
  expect(replies.getByRole("link", { name: "4 failed" })).toHaveAttribute("href", "/runs/items?suite_task=replies&target_id=target-1&status=FAILED");
});

test("categories keep the order of the tasks, and a task that the run left out has a row", () => {
  expect(categoriesOf({ tasks: [task("b", "two"), task("a", "one"), task("c", "two")], targets: [], left_out: ["d"] })).toEqual([
    { category: "two", tasks: ["b", "c"] },
    { category: "one", tasks: ["a"] },
    { category: "Left out", tasks: ["d"] },
  ]);
});

test("a note that holds for many tasks stands once below the table", async () => {
  const note = "all clusters have the same score, so the spread is unknown";
  const names = ["a", "b", "c"];
  const tasks = names.map((name) => result(name, "arithmetic", { score: 1, note: name === "c" ? "one cluster" : note }));
  const suite: SuiteOfRun = { ...SUITE, tasks: names.map((name) => task(name, "arithmetic")), targets: [{ ...target, note: null, missing: [], completeness: null, complete: true, tasks }] };
  server.use(http.get("*/api/runs/:runId/suite", () => HttpResponse.json(suite)));
  renderAt("/", [{ path: "/", Component: () => <SuiteSection run={runDetail({ status: "FINISHED" })} store={new RunStore()} suite={{ suite_id: "suite-1", name: "Nightly", version_number: 2 }} /> }]);
  const notes = await screen.findByRole("list", { name: "Notes on the scores of the tasks" });
  expect(within(notes).getAllByRole("listitem").map((one) => one.textContent)).toEqual(["1 All clusters have the same score, so the spread is unknown.", "2 One cluster."]);
  expect(names.map((name) => screen.getByRole("row", { name: new RegExp(`^${name} `) }).querySelector("sup")?.textContent)).toEqual(["1", "1", "2"]);
});

test("a note becomes a sentence", () => {
  expect(sentence("no interval")).toBe("No interval.");
  expect(sentence("Done.")).toBe("Done.");
});

test("the graph follows the rows, and the server's counts until all rows are here", async () => {
  server.use(http.get("*/api/runs/:runId/suite", () => HttpResponse.json(SUITE)));
  const run = runDetail({ counts: { items: 2, answered: 0, judged: 0, failed: 0 } });
  const store = new RunStore();
  renderAt("/", [{ path: "/", Component: () => <SuiteSection run={run} store={store} suite={{ suite_id: "suite-1", name: "Nightly", version_number: 2 }} /> }]);
  const levels = within(await screen.findByRole("list", { name: "Tasks by level" }));
  const card = (name: string) => levels.getByRole("link", { name }).closest("li");
  expect(card("sums")).toHaveTextContent("Done");
  expect(card("replies")).toHaveTextContent("Failed");
  expect(levels.getByRole("link", { name: "sums" })).toHaveAttribute("href", "/runs/items?suite_task=sums");
  const rows = [{ ...liveRow(0), status: "JUDGING" as const, suite_task: "sums" }, { ...liveRow(1), status: "NEW" as const, suite_task: "replies" }];
  act(() => store.loadItems(rows, 1));
  expect(card("sums")).toHaveTextContent("Judging, 0 of 1");
  expect(card("replies")).toHaveTextContent("Waiting");
});

test("the state of a task follows from its items, over all targets", () => {
  const counts = countRows([
    { status: "COMPLETED", suite_task: "a" }, { status: "FAILED", suite_task: "a" },
    { status: "IN_PROGRESS", suite_task: "b" }, { status: "COMPLETED", suite_task: "b" },
    { status: "NEW", suite_task: "c" }, { status: "COMPLETED" },
  ]);
  expect(["a", "b", "c", "none"].map((name) => stateLook(counts.get(name)).label.replaceAll("\u00a0", " "))).toEqual(["Done, 1 failed", "Running, 1 of 2", "Waiting", "Waiting"]);
  const two = countResults({ targets: [target, { ...target, tasks: [result("sums", "arithmetic", { state: "RUNNING", completed: 1 })] }] });
  expect(two.get("sums")).toEqual({ items: 8, begun: 5, answered: 5, completed: 5, failed: 0, skipped: 0 });
  expect(stateLook(two.get("replies")).label).toBe("Failed");
});

test("a task behind a failed gate is skipped with its reason, and one behind a passed gate says so", async () => {
  const gate = { task: "sums", min_score: 0.5, status: "PASSED", score: 0.75, scored: 4 } as const;
  const because = "it was skipped: 'sums' scored 0.75, and 'replies' needs 0.9";
  const gated: SuiteResultOut = {
    ...target,
    missing: [{ task: "replies", reason: because }],
    skipped: 4,
    tasks: [
      result("sums", "arithmetic", { score: 0.75 }),
      result("replies", "language", { state: "SKIPPED", scored: 0, completed: 0, skipped: 4, gates: [{ ...gate, min_score: 0.9, status: "FAILED" }] }),
      result("facts", "language", { score: 1, gates: [gate] }),
    ],
  };
  const tasks = [task("sums", "arithmetic"), task("replies", "language"), task("facts", "language")];
  server.use(http.get("*/api/runs/:runId/suite", () => HttpResponse.json({ ...SUITE, tasks, targets: [gated] })));
  renderAt("/", [{ path: "/", Component: () => <SuiteSection run={runDetail({ status: "FINISHED" })} store={new RunStore()} suite={{ suite_id: "suite-1", name: "Nightly", version_number: 2 }} /> }]);
  expect(await screen.findByRole("list", { name: "Scores of the suite" })).toHaveTextContent("answers scored, 4 skipped");
  const replies = within(screen.getByRole("row", { name: /^replies/ }));
  expect(replies.getByText(because)).toBeVisible();
  expect(replies.getByRole("link", { name: "4 skipped" })).toHaveAttribute("href", "/runs/items?suite_task=replies&target_id=target-1&status=SKIPPED");
  expect(screen.getByRole("row", { name: /^facts/ })).toHaveTextContent("Asked, because sums has 0.75, at least 0.5");
});
