import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { ComparedCases, Comparison } from "@/api/generated/orchestrator";
import { cases as pageOf, cell, COLUMNS, comparedCase, comparison, compared, gateOut, RUN_A, RUN_B, TARGET_A, TARGET_B, scored } from "@/testing/comparison-samples";
import { renderAt } from "@/testing/render";
import { itemDetail, itemRow, runDetail, runSummary, target } from "@/testing/samples";
import { answers, server } from "@/testing/server";
import ComparePage from "./ComparePage";

const TABLE = `${COLUMNS}&look=table`;
const open = (path: string) => renderAt(path, [{ path: "/compare", Component: ComparePage }]);

function serve({ found = comparison(), cases = () => pageOf([comparedCase(1), comparedCase(2)]) }: { found?: Comparison; cases?: (asked: URLSearchParams) => ComparedCases } = {}) {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get("*/api/comparisons", () => HttpResponse.json(found)),
    http.get("*/api/comparisons/cases", ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json(cases(asked.at(-1)!));
    }),
    answers.item((id) =>
      itemDetail(itemRow(1, { id }), {
        answer: id.startsWith("a") ? "The capital of France is Paris, of course." : "The capital of France is <b>Lyon</b>, of course.",
        scores: [{ id: "s", evaluator_revision_id: "revision-1", evaluator: "rubric", extraction: null, details: {}, kind: "rubric", status: "SCORED", outcome: "scored", raw: 6, scale_min: 0, scale_max: 10, normalised: 0.6, passed: true, reason: `Because of ${id}.`, error: null, attempts: 1, cost_usd: null, judge_model: "judge-1", judge_prompt: null, judge_reply: null, notes: [], redactions: 0 }],
      }),
    ),
  );
  return asked;
}

test("each column has its figures, and its verdict in words", async () => {
  serve();
  open(`/compare?${COLUMNS}`);
  const [first, second] = within(await screen.findByRole("region", { name: "Columns" })).getAllByRole("listitem");
  expect(first).toHaveTextContent("Baseline");
  expect(first).toHaveTextContent("62.0%");
  expect(second).toHaveTextContent("Better by 8.0 points, +3.0 to +13.0.");
  expect(second).toHaveTextContent("6 now pass, 1 no longer passes (may be chance).");
  expect(second).toHaveTextContent("1.00 s2.5 ×");
  expect(screen.getByText("Winner: B: large.")).toBeVisible();
});

test("each evaluator speaks for itself, also where the overall scores are not comparable", async () => {
  const evaluators = [
    { name: "rubric", title: "Rubric", kind: "rubric", judge_model: "judge-1", weight: 1, gates: true, score: scored() },
    { name: "says so", title: "Contains", kind: "contains", judge_model: null, weight: 0, gates: false, score: scored({ mean: -0.02, verdict: "not separable" }) },
  ];
  serve({ found: comparison({ comparisons: [compared({ score: null, passes: null, note: "Two different measures scored these runs.", evaluators })] }) });
  open(`/compare?${COLUMNS}`);
  const [rubric, saysSo] = within(await screen.findByRole("list", { name: "By evaluator" })).getAllByRole("listitem");
  expect(rubric).toHaveTextContent("rubric+8.0better");
  expect(rubric).toHaveAttribute("title", expect.stringContaining("(Holm)"));
  expect(saysSo).toHaveTextContent("says so · secondary−2.0not separable");
});

test("the evaluators of a suite are folded, with the number of each verdict", async () => {
  const evaluators = Array.from({ length: 40 }, (_, at) => ({ name: `task-${at}/contains`, title: "Contains", kind: "contains", judge_model: null, weight: 1, gates: true, score: scored({ verdict: at < 2 ? "worse" : "not separable" }) }));
  serve({ found: comparison({ comparisons: [compared({ evaluators, weighting: "The tasks count as in the score of 'Nightly' v2: each task equally." })] }) });
  open(`/compare?${COLUMNS}`);
  const summary = await screen.findByText("40 evaluators: 2 worse, 38 not separable");
  expect(screen.getByText("task-39/contains")).not.toBeVisible();
  await userEvent.click(summary);
  expect(screen.getByText("task-39/contains")).toBeVisible();
  expect(screen.getByText("The tasks count as in the score of 'Nightly' v2: each task equally.")).toBeVisible();
});

test("a click on a count shows those cases, and it is in the URL", async () => {
  const asked = serve();
  const { router } = open(`/compare?${TABLE}`);
  await userEvent.click(await screen.findByRole("button", { name: "5 worse" }));
  expect(router.state.location.search).toContain("show=worse&of=1");
  await waitFor(() => expect([asked.at(-1)!.get("show"), asked.at(-1)!.get("of")]).toEqual(["worse", "1"]));
  await userEvent.click(screen.getByRole("button", { name: "Differing" }));
  await waitFor(() => expect([asked.at(-1)!.get("show"), asked.at(-1)!.get("of")]).toEqual(["differing", "1"]));
  await userEvent.click(screen.getByRole("button", { name: "Remove the filter Of B: large" }));
  await waitFor(() => expect(asked.at(-1)!.get("of")).toBeNull());
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Order" }), "Greatest loss first");
  await waitFor(() => expect(asked.at(-1)!.get("sort")).toBe("delta"));
});

test("cases that no longer pass are listed by a link in the sentence, or by a chip with their number", async () => {
  const asked = serve({ cases: () => pageOf([comparedCase(1)], 1, { gained: 6, lost: 1 }) });
  const { router } = open(`/compare?${COLUMNS}&look=categories`);
  await userEvent.click(await screen.findByRole("link", { name: "1 no longer passes" }));
  expect(router.state.location.search).toContain("show=lost&of=1");
  expect(router.state.location.hash).toBe("#cases");
  await waitFor(() => expect([asked.at(-1)!.get("show"), asked.at(-1)!.get("of")]).toEqual(["lost", "1"]));
  expect(await screen.findByRole("button", { name: /^No longer pass ?1$/ })).toHaveAttribute("aria-pressed", "true");
  await userEvent.click(screen.getByRole("button", { name: /^Now pass ?6$/ }));
  await waitFor(() => expect(asked.at(-1)!.get("show")).toBe("gained"));
});

test("without pass and fail there are no chips for them", async () => {
  serve({ found: comparison({ comparisons: [compared({ passes: null })] }) });
  open(`/compare?${TABLE}`);
  expect(await screen.findByRole("button", { name: /^Worse/ })).toBeVisible();
  expect(screen.queryByRole("button", { name: /pass/ })).toBeNull();
});

test("the listed cases are exported with their filters and their order", async () => {
  serve();
  open(`/compare?${TABLE}&show=worse&category=odd&category=even&sort=delta`);
  const href = (await screen.findByRole("link", { name: "Export these cases" })).getAttribute("href")!;
  expect(href).toBe(`/api/comparisons/cases/export?${new URLSearchParams([["column", `${RUN_A}:${TARGET_A}`], ["column", `${RUN_B}:${TARGET_B}`], ["baseline", "0"], ["show", "worse"], ["sort", "delta"], ["category", "odd"], ["category", "even"]])}`);
});

test("with several columns the screen says what the numbers of the chips count", async () => {
  const three = [...comparison().columns, { ...comparison().columns[1]!, target_id: TARGET_A }];
  serve({ found: comparison({ columns: three, comparisons: [compared(), compared({ column: 2 })] }) });
  open(`/compare?${TABLE}&column=${RUN_B}:${TARGET_A}`);
  expect(await screen.findByText(/counts the cases that went this way in at least one column/)).toBeVisible();
});

test("a case opens side by side, with what changed; j goes on to the next", async () => {
  serve();
  const { router } = open(`/compare?${TABLE}`);
  const row = (await screen.findByRole("link", { name: "task-1" })).closest("[role=row]")!;
  expect(row).toHaveTextContent("+2");
  await userEvent.click(screen.getByRole("link", { name: "task-1" }));
  const other = await screen.findByRole("article", { name: "B: large" });
  await waitFor(() => expect(other.querySelector("ins")).toHaveTextContent("<b>Lyon</b>"));
  expect(other.querySelector("del")).toHaveTextContent("Paris");
  expect(other).toHaveTextContent("Because of b-1.");
  expect(within(other).getByRole("link")).toHaveAttribute("href", `/runs/${RUN_B}/items?item=b-1`);
  expect(screen.getByRole("article", { name: "A: small" })).toHaveTextContent("The capital of France is Paris, of course.");
  await userEvent.keyboard("j");
  expect(router.state.location.search).toContain("case=task-2");
  await userEvent.click(await screen.findByRole("checkbox", { name: "Mark what changed from the baseline" }));
  await waitFor(() => expect(document.querySelector("ins")).toBeNull());
});

test("what a column lacks is said, and so is a question that is not the same", async () => {
  serve({
    found: comparison({ comparisons: [compared({ score: null, passes: null, questions_differ: 1, note: "Two different judges scored these runs." })] }),
    cases: () => pageOf([comparedCase(1, { questions_differ: true, cells: [cell(), null] }), comparedCase(2, { cells: [cell(), cell({ status: "FAILED", score: null, failure: { phase: "BENCHMARKING", kind: "timed_out", message: "no answer", retryable: true } })] })]),
  });
  open(`/compare?${TABLE}`);
  const [, second] = within(await screen.findByRole("region", { name: "Columns" })).getAllByRole("listitem");
  expect(second).toHaveTextContent("Not comparable");
  expect(second).toHaveTextContent("Two different judges scored these runs.");
  expect(second).toHaveTextContent("One case asks another question");
  expect(within(second!).queryByRole("group", { name: "Cases of column B" })).toBeNull();
  const rows = await screen.findAllByRole("row");
  expect(rows[1]).toHaveTextContent("not asked");
  expect(rows[1]).toHaveTextContent("Not the same:");
  expect(rows[2]).toHaveTextContent("failed");
});

/** A run of two targets, x and y, in this order. */
const pair = (id: string, first: string, second: string) => runDetail({ id, targets: [{ ...target, id: first, label: first === TARGET_A ? "x" : "y" }, { ...target, id: second, label: second === TARGET_A ? "x" : "y" }] });
const RUN_C = "0193a000-0000-7000-8000-00000000000c";

test("a link that names several runs becomes their targets, those of one label side by side", async () => {
  const asked = serve();
  server.use(http.get("*/api/runs/:runId", ({ params }) => HttpResponse.json(params.runId === RUN_B ? pair(RUN_B, TARGET_B, TARGET_A) : pair(String(params.runId), TARGET_A, TARGET_B))));
  const { router } = open(`/compare?run=${RUN_A}&run=${RUN_B}&run=${RUN_C}`);
  const columns = [TARGET_A, TARGET_B].flatMap((id) => [RUN_A, RUN_B, RUN_C].map((run) => `${run}:${id}`));
  await waitFor(() => expect(new URLSearchParams(router.state.location.search).getAll("column")).toEqual(columns));
  await waitFor(() => expect(asked.at(-1)!.getAll("column")).toHaveLength(6));
});

test("an open case shows its references, counts all that match, and leaves no entry behind when it is closed", async () => {
  serve({ cases: () => pageOf([comparedCase(1), comparedCase(2)], 200) });
  server.use(answers.item((id) => itemDetail(itemRow(1, { id }), { answer: "Paris", case: { ...itemDetail(itemRow(1)).case, excellent: "Paris, on the Seine" } })));
  const { router } = open(`/compare?${TABLE}`);
  const before = router.state.location;
  await userEvent.click(await screen.findByRole("link", { name: "task-1" }));
  const panel = await screen.findByRole("dialog");
  expect(await within(panel).findByRole("region", { name: "References" })).toHaveTextContent("Paris, on the Seine");
  expect(panel).toHaveTextContent("1 of 200");
  await userEvent.keyboard("j");
  await waitFor(() => expect(panel).toHaveTextContent("2 of 200"));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(router.state.location.search).toBe(before.search));
  expect(router.state.location.key, "the entry is the one before it was opened").toBe(before.key);
});

test("filters are chips, each of which a click takes away", async () => {
  const asked = serve();
  const { router } = open(`/compare?${COLUMNS}&category=odd&category=even&q=Paris&of=1&show=worse`);
  await userEvent.click(await screen.findByRole("button", { name: "Remove the filter Category: odd" }));
  await userEvent.click(screen.getByRole("button", { name: "Remove the filter Search: Paris" }));
  await userEvent.click(screen.getByRole("button", { name: "Remove the filter Of B: large" }));
  expect(router.state.location.search).toContain("&category=even&show=worse");
  await waitFor(() => expect(asked.at(-1)!.getAll("category")).toEqual(["even"]));
});

test("without columns it says what to do, and the picker adds one", async () => {
  server.use(answers.runs(() => ({ items: [runSummary({ id: RUN_A, targets: [{ ...target, id: TARGET_A }] })], next_cursor: null })));
  const { router } = open("/compare");
  expect(screen.getByRole("heading", { name: "Nothing to compare yet" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Choose the first column" }));
  await userEvent.click(await screen.findByRole("button", { name: /^tiny t=0/ }));
  expect(router.state.location.search).toBe(`?${new URLSearchParams({ column: `${RUN_A}:${TARGET_A}` })}`);
  expect(await screen.findByRole("heading", { name: "Choose what to compare it with" })).toBeVisible();
});

test("a column can be removed, or be made the baseline", async () => {
  serve();
  const { router } = open(`/compare?${COLUMNS}`);
  await userEvent.click(await screen.findByRole("button", { name: "Actions for B: large" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Make it the baseline" }));
  expect(router.state.location.search).toContain("baseline=1");
  await userEvent.click(await screen.findByRole("button", { name: "Actions for A: small" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Remove" }));
  expect(router.state.location.search).toBe(`?${new URLSearchParams({ column: `${RUN_B}:${TARGET_B}` })}`);
});

test("a column that is gone, and a failure, say what to do", async () => {
  serve();
  server.use(answers.problem("*/api/comparisons", { title: "No such column", status: 404, detail: "There is no target." }));
  const { router } = open(`/compare?${COLUMNS}`);
  await userEvent.click(await screen.findByRole("button", { name: "Choose other columns" }));
  expect(router.state.location.search).toBe("");
  server.use(answers.problem("*/api/comparisons", { title: "Service unavailable", status: 503, detail: "The database does not answer." }));
  open(`/compare?${COLUMNS}&baseline=1`);
  expect(await screen.findByRole("alert")).toHaveTextContent("The database does not answer.");
});

test("a gate is chosen, is in the URL, and says what it decides", async () => {
  serve();
  const asked: unknown[] = [];
  server.use(
    http.post("*/v1/benchmarks/compare", async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json({ gate: gateOut() });
    }),
  );
  const { router } = open(`/compare?${COLUMNS}`);
  const margin = await screen.findByRole("spinbutton", { name: "Margin, in points" });
  await userEvent.clear(margin);
  await userEvent.type(margin, "0");
  expect(await screen.findByRole("alert")).toHaveTextContent("Enter a margin above 0.");
  await userEvent.click(screen.getByRole("button", { name: "Decide" }));
  expect(router.state.location.search).not.toContain("gate=");
  await userEvent.clear(margin);
  await userEvent.type(margin, "3");
  await userEvent.click(screen.getByRole("button", { name: "Decide" }));
  expect(router.state.location.search).toContain("gate=score&margin=0.03");
  const says = await screen.findByRole("group", { name: "Result of the gate" });
  expect(says).toHaveTextContent("Fine");
  expect(says).toHaveTextContent("The mean score changed by +1.2 points (90% two-sided: −0.8 to +3.1): a loss of 3 points is ruled out.");
  expect(asked.at(-1)).toMatchObject({ baseline: 0, gate: { metric: "score", margin: 0.03, force: false }, columns: [{ run_id: RUN_A }, { run_id: RUN_B }] });
  await userEvent.click(screen.getByRole("button", { name: "Clear" }));
  expect(router.state.location.search).not.toContain("gate=");
});

test("a gate that is refused says what it needs, and can be forced", async () => {
  serve();
  server.use(
    http.post("*/v1/benchmarks/compare", async ({ request }) => {
      const { gate } = (await request.json()) as { gate: { force: boolean } };
      if (gate.force) return HttpResponse.json({ gate: gateOut({ state: "undecided", pairs: [{ ...gateOut().pairs[0]!, state: "undecided", clusters_needed: 618, margin_needed: 0.228 }] }) });
      return HttpResponse.json({ title: "A gate that cannot decide", status: 422, detail: "With 30 cases a margin of 5 points …" }, { status: 422, headers: { "Content-Type": "application/problem+json" } });
    }),
  );
  open(`/compare?${COLUMNS}&gate=score&margin=0.03`);
  expect(await screen.findByText(/With 30 cases a margin of 5 points/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Decide anyway" }));
  expect(await screen.findByRole("group", { name: "Result of the gate" })).toHaveTextContent("618 cases or a margin of 22.8 points would decide, if the mean stays.");
});

test("the verdict comes first, in sentences about quality, cases and speed", async () => {
  serve();
  open(`/compare?${COLUMNS}`);
  const verdict = await screen.findByRole("region", { name: "Verdict" });
  expect(verdict).toHaveTextContent("B: large is better than A: small: 70.0% against 62.0%. The difference is more than chance: +8.0 points, +3.0 to +13.0.");
  expect(verdict).toHaveTextContent("Of 40 compared cases, 12 got better, 5 worse, and 23 stayed equal. 1 more case is not compared.");
  expect(verdict).toHaveTextContent("Half of its answers take up to 1.00 s; of the baseline’s, 400 ms (2.5 ×).");
});

test("cases are reviewed in groups; j and k move, and d shows what changed", async () => {
  const worse = comparedCase(1, { cells: [cell({ score: 8, answer: "The capital is Paris, of course." }), cell({ score: 4, passed: false, difference: -0.4, answer: "The capital is Lyon, of course." })] });
  const asked = serve({ cases: () => pageOf([worse, comparedCase(2), comparedCase(3, { cells: [cell(), null] })], 3, { better: 1, worse: 1, missing: 1 }) });
  const { router } = open(`/compare?${COLUMNS}`);
  const group = await screen.findByRole("region", { name: "Worse" });
  expect(asked.at(-1)!.get("sort")).toBe("group");
  expect(within(group).getByRole("article", { name: "Case task-1" })).toHaveTextContent("8→ became 4−4no longer passes");
  expect(screen.getByRole("region", { name: "Not compared" })).toHaveTextContent("1 case, not scored in both");
  expect(screen.getByRole("region", { name: "Not compared" })).toHaveTextContent("not asked");
  await userEvent.keyboard("j");
  expect(screen.getByRole("link", { name: "What is 1 + 25?" })).toHaveFocus();
  await userEvent.keyboard("jjk");
  expect(screen.getByRole("link", { name: "What is 2 + 25?" })).toHaveFocus();
  await userEvent.keyboard("kd");
  await waitFor(() => expect(group.querySelector("ins")).toHaveTextContent("Lyon"));
  expect(group.querySelector("del")).toHaveTextContent("Paris");
  await userEvent.keyboard("d");
  expect(group.querySelector("ins")).toBeNull();
  await userEvent.keyboard("{Enter}");
  expect(router.state.location.search).toContain("case=task-1");
});

test("the map of categories says what was compared, and each figure opens its items", async () => {
  serve();
  server.use(http.get("*/api/comparisons/categories", () => HttpResponse.json({ compared: [true, true], total: 1, categories: [{ category: "sums", cases: 12, shared: 10, spread: 0.3, scores: [0.4, 0.7] }] })));
  const { router } = open(`/compare?${COLUMNS}&look=categories`);
  const figure = await screen.findByRole("link", { name: "B, sums: 70.0%. Open the items" });
  expect(figure).toHaveAttribute("href", `/runs/${RUN_B}/items?target_id=${TARGET_B}&category=sums`);
  expect(figure).toHaveClass("heat-7");
  expect(figure.closest("tr")).toHaveTextContent("30.010 of 12");
  await userEvent.click(screen.getByRole("link", { name: "sums" }));
  expect(router.state.location.search).toContain("category=sums");
  expect(router.state.location.search).not.toContain("look=");
});

test("a mark of the scores opens its cases", async () => {
  const asked = serve();
  server.use(http.get("*/api/comparisons/scores", () => HttpResponse.json({ cases: 3, pairs: [{ bin: { baseline: 8, here: 12 }, baseline: 0.4, here: 0.6, cases: 3 }] })));
  open(`/compare?${COLUMNS}&look=scores`);
  await userEvent.click(await screen.findByRole("link", { name: "3 cases: 40.0% → 60.0%" }));
  await waitFor(() => expect(asked.at(-1)!.get("bin")).toBe("8:12"));
  await userEvent.click(await screen.findByRole("button", { name: "Remove the filter Scores: about 40.0% → 60.0%" }));
  await waitFor(() => expect(asked.at(-1)!.get("bin")).toBeNull());
});
