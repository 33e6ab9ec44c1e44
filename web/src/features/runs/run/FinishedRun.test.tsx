import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { ItemFailure, ItemOut, RunDetail } from "@/api/generated/orchestrator";
import { toasts } from "@/components/Toast";
import { commands } from "@/lib/commands";
import { renderAt } from "@/testing/render";
import { changed, itemDetail, itemRow, noFigures, RUN_ID, runDetail, runSummary, statusChanged } from "@/testing/samples";
import { answers, server } from "@/testing/server";
import RunPage from "./RunPage";

const failure: ItemFailure = { phase: "BENCHMARKING", kind: "rejected", cause: "context_overflow", message: "Too long.", retryable: true };
let run: RunDetail;
let rows: ItemOut[];

beforeEach(() => {
  run = runDetail({ status: "FINISHED", outcome: "partial", totals: { ...noFigures, items: 3, failed: 2 } });
  rows = [itemRow(0, { status: "COMPLETED", passed: false, score_normalised: 0.2 }), itemRow(1, { status: "FAILED", failure }), itemRow(2, { status: "FAILED", failure })];
  server.use(
    answers.run(() => run),
    answers.items(() => ({ items: rows, next_cursor: null })),
    answers.itemCount(() => ({ items: rows.length, statuses: {}, not_passed: 0 })),
    answers.events(() => ({ events: [], next_seq: 1, last_seq: 0 })),
    answers.excerpts(() => []),
    http.post(`*/api/runs/${RUN_ID}/retry-failed`, () => HttpResponse.json(runSummary(), { status: 202 })),
  );
});

const open = (below = "") => renderAt(`/runs/${RUN_ID}${below}`, [{ path: "/runs/:runId/:view?", Component: RunPage }]);

test("the outcome of a retry is said in a toast and stays on the page", async () => {
  const { connection } = open("/failures");
  const failures = await screen.findByRole("region", { name: "Failures" });
  await userEvent.click(within(failures).getByRole("button", { name: "Try all again" }));
  expect(await screen.findByText("Trying 2 items again…")).toBeVisible();
  // The server's later answers agree with the events.
  run = { ...run, last_seq: 6 };
  act(() => {
    connection.event("status", statusChanged(1, "RUNNING"));
    connection.event("item", changed(2, itemRow(1)));
    connection.event("item", changed(3, itemRow(2)));
    connection.event("item", changed(4, itemRow(1, { status: "COMPLETED" })));
    connection.event("item", changed(5, itemRow(2, { status: "FAILED", failure })));
    connection.event("status", statusChanged(6, "FINISHED"));
  });
  const outcome = "Tried again: 1 answered, 1 still fails: context overflow.";
  expect(await screen.findByText(outcome, undefined, { timeout: 3000 })).toBeVisible();
  expect(toasts.get().at(-1)).toMatchObject({ text: outcome, tone: "bad" });
});

test("the command palette can try the failed items again, on every view", async () => {
  const refused = { type: "about:blank", title: "Conflict", status: 409, detail: "The run is about to be deleted." };
  const { connection } = open("/items");
  await waitFor(() => expect(commands.get()).toMatchObject([{ label: "Try all failed items again", detail: "2 items" }]));
  act(() => commands.get()[0]?.run());
  await waitFor(() => expect(toasts.get().at(-1)?.text).toBe("The run continues with the failed items."));
  server.use(answers.problem(`*/api/runs/${RUN_ID}/retry-failed`, refused));
  await waitFor(() => expect(commands.get()).toHaveLength(1));
  act(() => commands.get()[0]?.run());
  expect(await screen.findByText("The run is about to be deleted.")).toBeVisible();
  // The run continues in another way: the refusal is of the past.
  run = { ...run, status: "RUNNING", last_seq: 1 };
  act(() => connection.event("status", statusChanged(1, "RUNNING")));
  await waitFor(() => expect(screen.queryByText("The run is about to be deleted.")).toBeNull());
});

test("the command palette offers no retry to a run without failures, nor to one that is not finished", async () => {
  rows = rows.slice(0, 1);
  const first = open("/items");
  expect(await screen.findByRole("link", { name: "task-0" })).toBeVisible();
  expect(commands.get()).toEqual([]);
  first.unmount();
  rows = [itemRow(1, { status: "FAILED", failure })];
  run = runDetail({ status: "CANCELLED", outcome: null });
  open("/items");
  expect(await screen.findByRole("link", { name: "task-1" })).toBeVisible();
  expect(commands.get()).toEqual([]);
});

test("the answer of an item is compared with that of another target, and the URL keeps the choice", async () => {
  const [first] = run.targets;
  run = { ...run, targets: [first!, { ...first!, id: "other", label: "other-model" }] };
  const [mine, theirs] = [itemRow(0, { status: "COMPLETED", target_id: first!.id }), itemRow(1, { status: "COMPLETED", target_id: "other", task_id: "task-0" })];
  rows = [mine, theirs];
  server.use(
    // Before the item, whose path would match it.
    answers.excerpts(() => []),
    answers.items((params) => ({ items: params.get("target_id") === "other" ? [theirs] : rows, next_cursor: null })),
    answers.item((id) => itemDetail(id === mine.id ? mine : theirs, { answer: id === mine.id ? "It is 42." : "It is 43." })),
    http.get("*/comments", () => HttpResponse.json({ items: [] })),
  );
  const { router } = open(`/items?item=${mine.id}`);
  const part = within(await screen.findByRole("region", { name: "Answer" }));
  await userEvent.click(part.getByRole("checkbox", { name: "Show differences" }));
  await waitFor(() => expect(router.state.location.search).toBe(`?item=${mine.id}&against=reference`));
  expect(await part.findByText("Compared with the reference “Excellent”.")).toBeVisible();
  await userEvent.selectOptions(part.getByRole("combobox", { name: "Against" }), "other-model");
  await waitFor(() => expect(router.state.location.search).toBe(`?item=${mine.id}&against=other`));
  expect(await part.findByText("Compared with the answer of other-model.")).toBeVisible();
  expect((await part.findByText("43")).tagName).toBe("DEL");
});

test("the first view names the causes with their models, and leads to the warnings", async () => {
  run.warnings = [{ kind: "self_judging", message: "judge-1 judges its own answers (tiny): expect its scores to be too high." }, { kind: "cut_answers", message: "Two were cut." }];
  open();
  const glance = within(await screen.findByRole("region", { name: "At a glance" }));
  expect(await glance.findByText(/2 context overflow \(tiny t=0\)/)).toBeVisible();
  expect(glance.getByRole("link", { name: "2 warnings below" })).toHaveAttribute("href", "#warnings");
  expect(glance.getByRole("link", { name: "judge-1 judges its own answers" })).toBeVisible();
  expect(screen.getByRole("list", { name: "Warnings" })).toHaveAttribute("id", "warnings");
});

test("the items of a finished run are filtered by the states that it has, with their counts", async () => {
  open("/items");
  const chips = within(await screen.findByRole("group", { name: "Filter items by state" }));
  await waitFor(() => expect(chips.getAllByRole("button").map((one) => one.textContent)).toEqual(["All", "Completed1", "Failed2", "Not passed1"]));
});

test("items are filtered by the time of their answer", async () => {
  const { router } = open("/items");
  await userEvent.click(await screen.findByRole("button", { name: "More filters" }));
  await userEvent.type(await screen.findByRole("spinbutton", { name: "Time from (ms)" }), "5");
  expect(router.state.location.search).toBe("?time_min=5");
  await userEvent.type(screen.getByRole("spinbutton", { name: "Time below (ms)" }), "9");
  expect(router.state.location.search).toBe("?time_min=5&time_below=9");
  expect(screen.getByRole("button", { name: /^Remove the filter Time: from 5.ms and below 9.ms$/ })).toBeVisible();
});

test("a cell of the map says how many scores it has, and few are marked", async () => {
  open("/breakdown");
  await userEvent.click(await screen.findByRole("button", { name: "Category × model" }));
  const cell = await screen.findByRole("link", { name: /n 1/ });
  expect(cell).toHaveAttribute("title", expect.stringContaining("fewer than 10 scores"));
  expect(cell).toHaveClass("border-current");
});

test("a run that is over is not called live, but trouble is shown", async () => {
  const { connection } = open("/log");
  const status = await screen.findByRole("status", { name: "Connection" });
  act(() => connection.state.set({ name: "live" }));
  expect(status).toBeEmptyDOMElement();
  act(() => connection.state.set({ name: "refused", message: "no" }));
  expect(status).toHaveTextContent("Live feed refused");
});
