import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { GroupOut, ItemOut, RunDetail } from "@/api/generated/orchestrator";
import { formatClock } from "@/lib/format";
import { renderAt } from "@/testing/render";
import { changed, itemDetail, itemRow, logged, noFigures, RUN_ID, runDetail, runSummary, statusChanged } from "@/testing/samples";
import { answers, server } from "@/testing/server";
import RunPage from "./RunPage";

let run: RunDetail;
let rows: ItemOut[];
let hostileAnswer: string | null;
let asked: string[];

beforeEach(() => {
  run = runDetail();
  rows = [itemRow(0), itemRow(1, { status: "FAILED" }), itemRow(2)];
  hostileAnswer = null;
  asked = [];
  server.use(
    answers.run(() => run),
    answers.items((params) => {
      params.sort();
      asked.push(params.toString());
      const states = params.getAll("status");
      return { items: rows.filter((row) => states.length === 0 || states.includes(row.status)), next_cursor: null };
    }),
    answers.itemCount(() => ({ items: 1, statuses: { COMPLETED: 1, FAILED: 5 }, not_passed: 7 })),
    answers.events(() => ({ events: [], next_seq: 1, last_seq: 0 })),
    answers.excerpts(() => rows.map((row) => ({ id: row.id, question: "What is 17 + 25?", answer: `Answer to ${row.task_id}`, expected: "42", tags: [], scores: [] }))),
    answers.item((id) => itemDetail(rows.find((row) => row.id === id)!, { answer: hostileAnswer })),
  );
});

const open = (below = "") => renderAt(`/runs/${RUN_ID}${below}`, [{ path: "/runs/:runId/:view?", Component: RunPage }]);
const table = () => screen.findByRole("table", { name: "Items" });
const rowsOf = async (name: string) => {
  await screen.findByRole("heading", { name });
  return within(await table()).findAllByRole("link", { name: /^task of/ });
};

test("rows and log follow the events", async () => {
  const { connection } = open("/items");
  const items = await table();
  expect(await within(items).findByRole("link", { name: "task-0" })).toBeVisible();
  act(() => {
    connection.event("log", logged(1, "What is 17 + 25?", { kind: "prompt", item_id: "item-0", task_id: "task-0" }));
    connection.event("item", changed(2, itemRow(0, { status: "COMPLETED", score: 9, passed: true, reason: "The sum is right." })));
  });
  expect(await within(items).findByText("The sum is right.")).toBeVisible();
  await userEvent.click(screen.getByRole("link", { name: "Log" }));
  expect(within(await screen.findByRole("log")).getByText("What is 17 + 25?")).toBeInTheDocument();
});

const work = (number: number) => ({
  group_id: `group-${number}`, group_status: "OPEN" as const, provider_name: `Cloud ${number}`, model: `model-${number}`, target_label: `target-${number}`, item_id: `item-${number}`, task_id: `task-${number}`, backoff_until: null, backoff_reason: null,
});

test("every model at work has a row with its own task", async () => {
  run = { ...run, current: work(0), others: [work(1)] };
  const { connection } = open();
  const atWork = within(await screen.findByRole("list", { name: "Models at work" }));
  expect(atWork.getAllByRole("listitem").map((one) => one.textContent)).toEqual(["Modelmodel-0Targettarget-0Tasktask-0", "Modelmodel-1Targettarget-1Tasktask-1"]);
  act(() => connection.event("progress", { type: "llmbench.run.progressed.v1", run_id: RUN_ID, run_seq: 9, at: "2026-01-01T12:00:00.000Z", phase: "BENCHMARKING", items: 4, answered: 1, judged: 0, failed: 0, current: work(1) }));
  await waitFor(() => expect(screen.queryByRole("list", { name: "Models at work" })).not.toBeInTheDocument());
  expect(screen.getByText("target-1")).toBeVisible();
});

test("pause shows PAUSING until the server says PAUSED, then resume is offered", async () => {
  server.use(answers.act("pause", () => runSummary({ status: "PAUSING" })));
  const { connection } = open();
  await userEvent.click(await screen.findByRole("button", { name: "Pause" }));
  run = { ...run, status: "PAUSING", last_seq: 1 };
  act(() => connection.event("status", statusChanged(1, "PAUSING")));
  expect(await screen.findByRole("button", { name: "Pausing…" })).toBeDisabled();
  run = { ...run, status: "PAUSED", last_seq: 2 };
  act(() => connection.event("status", statusChanged(2, "PAUSED")));
  expect(await screen.findByRole("button", { name: "Resume" })).toBeEnabled();
  expect(screen.getByText("Paused")).toBeVisible();
});

test("an action that is refused says why", async () => {
  server.use(answers.problem(`*/api/runs/${RUN_ID}/pause`, { title: "Not running", status: 409, detail: "The run is already pausing." }));
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Pause" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("The run is already pausing.");
});

test("cancel asks first", async () => {
  let cancelled = 0;
  server.use(
    answers.act("cancel", () => {
      cancelled += 1;
      return runSummary({ status: "CANCELLED" });
    }),
  );
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
  await userEvent.click(await screen.findByRole("button", { name: "Keep running" }));
  expect(cancelled).toBe(0);
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await userEvent.click(await screen.findByRole("button", { name: "Cancel the run" }));
  await waitFor(() => expect(cancelled).toBe(1));
});

test("nothing of a cancelled run looks as if it went on", async () => {
  const group = { id: "group-0", provider_name: "Mock", model: "model-a", phase: "BENCHMARKING", status: "OPEN", concurrency: 1, total: 3, done: 1, failed: 0, failure_reason: null, out_of_credit_reason: null, backoff_until: null, backoff_reason: null } as GroupOut;
  const judges = { ...group, id: "group-1", model: "judge", phase: "JUDGING", status: "WAITING", done: 0 } as GroupOut;
  run = runDetail({ status: "CANCELLED", groups: [group, judges] });
  open("/log");
  const groups = within(await screen.findByRole("group", { name: "Model groups" })).getAllByRole("listitem");
  expect(groups.map((one) => /Stopped|Not started|Running|Waiting/.exec(one.textContent ?? "")?.[0])).toEqual(["Stopped", "Not started"]);
  await userEvent.click(screen.getByRole("link", { name: "Results" }));
  const [benchmarking] = within(await screen.findByRole("list", { name: "Phase" })).getAllByRole("listitem");
  expect(benchmarking).toHaveTextContent("Benchmarking, stopped");
  expect(benchmarking).not.toHaveAttribute("aria-current");
});

test("a run that was judged again took as long as it worked, not until its last end", async () => {
  run = runDetail({ status: "FINISHED", outcome: "complete", reopened_at: "2026-01-01T12:40:00.000Z", finished_at: "2026-01-01T12:41:00.000Z", took_s: 22 });
  open();
  expect(await screen.findByText("Took")).toHaveTextContent("Took 22 s");
});

test("a finished run can be neither paused nor cancelled", async () => {
  run = runDetail({ status: "FINISHED", outcome: "partial", finished_at: "2026-01-01T12:05:00.000Z" });
  open();
  expect(await screen.findByText("Finished, partial")).toBeVisible();
  expect(screen.queryByRole("button", { name: /pause|resume|cancel/i })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Export" }));
  expect(await screen.findByRole("menuitem", { name: /^CSV/ })).toHaveAttribute("href", `/api/runs/${RUN_ID}/export?format=csv`);
});

test("the state filter lives in the URL", async () => {
  const { router } = open("?status=FAILED");
  const items = await table();
  expect(await within(items).findByRole("link", { name: "task-1" })).toBeVisible();
  expect(within(items).queryByRole("link", { name: "task-0" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: /^Failed/ }));
  expect(await within(await table()).findByRole("link", { name: "task-0" })).toBeVisible();
  expect(router.state.location.search).toBe("");
});

test("an item has its own link; j and k move, Esc closes", async () => {
  const { router } = open("?item=item-0");
  await table();
  const panel = await screen.findByRole("dialog", { name: "Item task-0" });
  expect(await within(panel).findByText("What is 17 + 25?")).toBeVisible();
  await userEvent.keyboard("j");
  expect(await screen.findByRole("dialog", { name: "Item task-1" })).toBeVisible();
  await userEvent.keyboard("{ArrowRight}");
  expect(router.state.location.search).toBe("?item=item-2");
  await userEvent.keyboard("jk");
  expect(await screen.findByRole("dialog", { name: "Item task-1" })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(router.state.location.search).toBe("");
});

test("a model's answer is text, whatever it holds", async () => {
  hostileAnswer = `<script>globalThis.hacked = true</script><img src=x onerror="hacked=true">\u202eevil`;
  open("?item=item-0");
  const panel = await screen.findByRole("dialog");
  const [answer] = await within(panel).findAllByText(/<script>globalThis.hacked = true<\/script>/);
  expect(answer).toHaveTextContent("⟨U+202E⟩evil");
  expect(panel.querySelector("script, img")).toBeNull();
});

test("a run that does not exist is said to be missing", async () => {
  server.use(answers.problem("*/api/runs/:runId", { title: "Not found", status: 404, detail: "There is no run with this id." }));
  open();
  expect(await screen.findByRole("heading", { name: "There is no such run" })).toBeVisible();
});

test("a run that was looked at before another one has its own rows and no others", async () => {
  const runs = [runDetail({ id: "run-a", name: "After", baseline_run_id: "run-b" }), runDetail({ id: "run-b", name: "Before" })];
  server.use(
    http.get("*/api/runs/:runId", ({ params }) => HttpResponse.json(runs.find((one) => one.id === params.runId))),
    http.get("*/api/runs/:runId/items", ({ params }) => HttpResponse.json({ items: [itemRow(0, { id: `of-${String(params.runId)}`, task_id: `task of ${String(params.runId)}` })], next_cursor: null })),
  );
  const { router } = renderAt("/runs/run-a/items", [{ path: "/runs/:runId/:view?", Component: RunPage }]);
  await rowsOf("After");
  await userEvent.click(screen.getByRole("link", { name: "Results" }));
  await userEvent.click(await screen.findByRole("link", { name: "Its baseline" }));
  await userEvent.click(await screen.findByRole("link", { name: /^Items/ }));
  expect(await rowsOf("Before")).toHaveLength(1);
  await act(() => router.navigate(-3));
  expect((await rowsOf("After")).map((one) => one.textContent)).toEqual(["task of run-a"]);
});

test("filters and order are asked of the server in the words of the URL, and exported as they are shown", async () => {
  const { router } = open("?q=sum&failure_kind=unparsed&score_max=3.5&sort=score&order=desc");
  const items = await table();
  await waitFor(() => expect(asked).toContain("failure_kind=unparsed&limit=200&order=desc&q=sum&score_max=3.5&sort=score"));
  expect(within(items).getByRole("columnheader", { name: "Score" })).toHaveAttribute("aria-sort", "descending");
  expect(screen.getByRole("button", { name: "All" })).toHaveAttribute("aria-pressed", "false");
  // The counts are those under the other filters, not those of the run.
  expect(await screen.findByRole("button", { name: /^Completed\s*1$/ })).toBeVisible();
  expect(screen.getByRole("button", { name: /^Failed\s*5$/ })).toBeVisible();
  expect(screen.getByRole("button", { name: /^New\s*0$/ })).toBeVisible();
  const notPassed = screen.getByRole("button", { name: /^Not passed\s*7$/ });
  await userEvent.click(notPassed);
  expect(router.state.location.search).toContain("passed=false");
  expect(notPassed).toHaveAttribute("aria-pressed", "true");
  await userEvent.click(notPassed);
  await userEvent.click(screen.getByRole("button", { name: "Export these" }));
  expect(await screen.findByRole("menuitem", { name: /^JSON Lines/ })).toHaveAttribute("href", expect.stringMatching(/format=jsonl.*failure_kind=unparsed.*score_max=3.5.*q=sum/));
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("button", { name: "Remove the filter Failure: unparsed" }));
  expect(router.state.location.search).not.toContain("failure_kind");
  await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(router.state.location.search).toBe("?sort=score&order=desc");
});

test("what the server finds comes page by page, as far as the reader gets", async () => {
  server.use(
    answers.items((params) => {
      if (!params.has("q")) return { items: [], next_cursor: null };
      return params.get("cursor") === "next" ? { items: [itemRow(1)], next_cursor: null } : { items: [itemRow(0)], next_cursor: "next" };
    }),
    answers.itemCount(() => ({ items: 2, statuses: {}, not_passed: 0 })),
  );
  open("?q=sum");
  const items = await table();
  expect(await within(items).findByRole("link", { name: "task-0" })).toBeVisible();
  expect(await within(items).findByRole("link", { name: "task-1" })).toBeVisible();
  expect(screen.getByText("2 of 4 items")).toBeVisible();
});

test("failures are grouped by their cause; one, a group and all are tried again", async () => {
  run = runDetail({ status: "FINISHED", outcome: "partial" });
  const unparsed = { phase: "JUDGING", kind: "unparsed", message: "No verdict in it.", retryable: true } as const;
  const timedOut = { phase: "BENCHMARKING", kind: "timed_out", message: "No answer within 300 s.", retryable: true } as const;
  rows = [itemRow(0, { status: "FAILED", failure: unparsed }), itemRow(1, { status: "FAILED", failure: timedOut }), itemRow(2, { status: "FAILED", failure: unparsed })];
  const retried: unknown[] = [];
  server.use(
    http.post(`*/api/runs/${RUN_ID}/retry-failed`, async ({ request }) => {
      retried.push({ body: await request.json().catch(() => null), keyed: request.headers.has("idempotency-key") });
      return HttpResponse.json(runSummary(), { status: 202 });
    }),
  );
  open("/failures");
  const failures = await screen.findByRole("region", { name: "Failures" });
  expect(within(failures).getAllByRole("listitem").map((one) => one.textContent)).toEqual([expect.stringContaining("2 unparsed"), expect.stringContaining("1 timed out")]);
  expect(within(failures).getAllByRole("link")[0]).toHaveAttribute("href", `/runs/${RUN_ID}/items?status=FAILED&failure_cause=unparsed&failure_phase=JUDGING`);
  await userEvent.click(within(failures).getByRole("button", { name: "Try again: unparsed" }));
  await userEvent.click(await within(failures).findByRole("button", { name: "Try all again" }));
  await waitFor(() => expect(retried).toEqual([{ body: { item_ids: ["item-0", "item-2"] }, keyed: true }, { body: null, keyed: true }]));
});

test("a provider that is waited for is said to be, and until when", async () => {
  const until = new Date(Date.now() + 60_000).toISOString();
  run = runDetail({
    current: { group_id: "g", group_status: "OPEN", provider_name: "Local", model: "tiny", backoff_until: until, backoff_reason: "too many requests" },
  });
  open();
  expect(await screen.findByText(`Backing off until ${formatClock(until)}`, { exact: false })).toHaveTextContent("too many requests");
});

test("a model whose account is empty says so, and what to do", async () => {
  const reason = "429 Too Many Requests: You exceeded your current quota. The account has no credit left.";
  run = runDetail({
    status: "PAUSED",
    status_reason: `big is out of credit: ${reason} Fill the account up, then resume the run.`,
    groups: [
      {
        id: "g", phase: "BENCHMARKING", provider_id: "p", provider_name: "Hosted", provider_type: "OPENAI", model: "big", status: "WAITING", concurrency: 1,
        total: 3, done: 1, failed: 0, opened_at: null, backoff_until: null, backoff_reason: null, out_of_credit_reason: reason, failure_reason: null,
      },
    ],
  });
  open();
  const groups = await screen.findByRole("group", { name: "Model groups" });
  expect(within(groups).getByText("Out of credit")).toBeInTheDocument();
  expect(within(groups).getByText(reason)).toBeInTheDocument();
  expect(screen.getByText(/Fill the account up, then resume the run/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Resume" })).toBeEnabled();
});

test("name, tags and notes can be changed", async () => {
  let sent: unknown;
  server.use(
    answers.runs(() => ({ items: [], next_cursor: null })),
    http.patch(`*/api/runs/${RUN_ID}`, async ({ request }) => {
      sent = await request.json();
      run = { ...run, name: "Better name" };
      return HttpResponse.json(runSummary({ name: "Better name" }));
    }),
  );
  open();
  await userEvent.click(await screen.findByRole("button", { name: "More actions" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: /^Edit/ }));
  const dialog = await screen.findByRole("dialog", { name: "Edit this run" });
  const name = await within(dialog).findByRole("textbox", { name: "Name" });
  await userEvent.clear(name);
  await userEvent.type(name, "Better name");
  await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
  expect(await screen.findByRole("heading", { name: "Better name" })).toBeVisible();
  expect(sent).toEqual({ name: "Better name", description: null, tags: [], baseline_run_id: null });
});

test("a run that spent its limit asks for another one before it goes on", async () => {
  run = runDetail({ status: "PAUSED", max_cost_usd: 1, cost_usd: 1.02, status_reason: "the cost limit of $1.00 is reached" });
  let sent: unknown;
  server.use(
    http.post(`*/api/runs/${RUN_ID}/resume`, async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json(runSummary(), { status: 202 });
    }),
  );
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Resume" }));
  const dialog = await screen.findByRole("dialog", { name: "Resume with a higher limit?" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Resume" }));
  await waitFor(() => expect(sent).toEqual({ max_cost_usd: 2.04 }));
});

test("addresses of earlier versions lead to the view that they mean", async () => {
  const { router } = open("?item=item-0&status=FAILED#items");
  expect(await screen.findByRole("dialog", { name: "Item task-0" })).toBeVisible();
  expect(router.state.location.pathname + router.state.location.search).toBe(`/runs/${RUN_ID}/items?item=item-0&status=FAILED`);
  await act(() => router.navigate(`/runs/${RUN_ID}?by=task`));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/runs/${RUN_ID}/breakdown`));
  await act(() => router.navigate(`/runs/${RUN_ID}/nowhere`));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/runs/${RUN_ID}`));
});

test("the items of a target are one click away, from the results and among the items", async () => {
  const [one] = runDetail().targets;
  run = runDetail({ status: "FINISHED", outcome: "complete", targets: [{ ...one!, id: "plain", label: "plain" }, { ...one!, id: "better", label: "better" }], results: [target("plain", 0.5), target("better", 0.9)] });
  const { router } = open();
  await userEvent.click(await screen.findByRole("link", { name: "plain" }));
  await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe(`/runs/${RUN_ID}/items?target_id=plain&sort=score`));
  const chips = within(await screen.findByRole("group", { name: "Filter items by target" }));
  expect(chips.getByRole("button", { name: "plain" })).toHaveAttribute("aria-pressed", "true");
  await userEvent.click(chips.getByRole("button", { name: "better" }));
  expect(new URLSearchParams(router.state.location.search).getAll("target_id")).toEqual(["plain", "better"]);
  await userEvent.click(chips.getByRole("button", { name: "plain" }));
  expect(new URLSearchParams(router.state.location.search).getAll("target_id")).toEqual(["better"]);
  // Only a phone, which hides the chips, shows the filter once more.
  expect(screen.getByRole("button", { name: "Remove the filter Target: better" })).toHaveClass("sm:hidden");
});

test("each view keeps its own state while another is open", async () => {
  const { router } = open("/items?status=FAILED");
  await table();
  await userEvent.click(screen.getByRole("link", { name: /^Failures/ }));
  expect(router.state.location.search).toBe("");
  await userEvent.click(screen.getByRole("link", { name: /^Items/ }));
  expect(router.state.location.search).toBe("?status=FAILED");
});

const target = (label: string, mean: number) =>
  ({ ...noFigures, target_id: label, label, model: label, passes: [],  items: 10, completed: 10, scored: 10, mean_score: mean, mean_score_interval: { low: mean - 0.05, high: mean + 0.05 }, cost_usd: mean, priced: 10 }) as RunDetail["results"][number];

test("after the end the first view says who is best, whether it is certain, what it cost and what went wrong", async () => {
  run = runDetail({ status: "FINISHED", outcome: "complete", results: [target("plain", 0.5), target("better", 0.9)] });
  run.totals = { ...run.totals, items: 20, failed: 3 };
  open();
  const glance = within(await screen.findByRole("region", { name: "At a glance" }));
  expect(glance.getByText("better")).toHaveTextContent("better 90.0%");
  expect(glance.getByText("Yes")).toBeVisible();
  expect(glance.getByText(/plain is cheapest/)).toBeVisible();
  expect(glance.getByRole("link", { name: "See the causes" })).toHaveAttribute("href", `/runs/${RUN_ID}/failures`);
});

test("columns are chosen and ordered in the URL, with texts that are not in the rows", async () => {
  const { router } = open("/items?cols=task,answer:300");
  const items = await table();
  expect(await within(items).findByText("Answer to task-0")).toBeVisible();
  expect(within(items).getAllByRole("columnheader").map((one) => one.getAttribute("aria-label"))).toEqual(["Task", "Answer"]);
  await userEvent.click(screen.getByRole("button", { name: "Columns" }));
  await userEvent.click(await screen.findByRole("checkbox", { name: /^Expected/ }));
  await userEvent.click(await screen.findByRole("button", { name: /^Move Expected .* forward/ }));
  expect(new URLSearchParams(router.state.location.search).get("cols")).toBe("task,expected,answer:300");
  await waitFor(() => expect(within(items).getAllByText("42")).toHaveLength(3));
});

test("a case is read with the answers of all targets, and j leads to the next case of the filter", async () => {
  rows = [itemRow(0), itemRow(1, { task_id: "task-0", target_id: "other", target_label: "Other" }), itemRow(2)];
  hostileAnswer = "# **42** <img src=x onerror=alert(1)>";
  const { router } = open("/read");
  server.use(answers.items((params) => ({ items: rows.filter((row) => !params.has("task_id") || row.task_id === params.get("task_id")), next_cursor: null })));
  const list = await screen.findByRole("list", { name: "Answers" });
  await waitFor(() => expect(within(list).getAllByRole("heading")).toHaveLength(2));
  await waitFor(() => expect(within(list).getAllByText(/<img src=x/)).toHaveLength(2));
  expect(list.querySelector("img")).toBeNull();
  expect(within(screen.getByRole("region", { name: "Reference" })).getByText("42")).toBeVisible();
  await userEvent.keyboard("j");
  await waitFor(() => expect(router.state.location.search).toBe("?item=item-2"));
  await userEvent.keyboard("m");
  expect(router.state.location.search).toBe("?item=item-2&as=raw");
});
