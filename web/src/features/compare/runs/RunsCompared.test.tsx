import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { BenchmarksCompared, BenchmarkVerdict, CompareBenchmarks, RunVerdict } from "@/api/generated/orchestrator";
import { cases as pageOf, column, compared, comparedCase, comparison, gateOut, RUN_A, RUN_B, scored, TARGET_A, TARGET_B } from "@/testing/comparison-samples";
import { renderAt } from "@/testing/render";
import { runDetail, target } from "@/testing/samples";
import { server } from "@/testing/server";
import ComparePage from "../ComparePage";
import { readPairs, withPair } from "./pair-view";

const TARGET_C = "0193a000-0000-7000-8000-0000000000cc";
const TARGET_D = "0193a000-0000-7000-8000-0000000000dd";
const RUNS = `run=${RUN_A}&run=${RUN_B}`;

const big: BenchmarkVerdict = {
  ...comparison({ comparisons: [compared({ paired_by: "label", differs: [{ name: "temperature", baseline: null, here: "0.5" }] })] }),
  regressed: [],
};
const small: BenchmarkVerdict = {
  ...comparison({
    columns: [column({ target_id: TARGET_C, label: "old" }), column({ run_id: RUN_B, target_id: TARGET_D, label: "new" })],
    comparisons: [compared({ paired_by: "model", score: scored({ verdict: "worse", mean: -0.06 }) })],
  }),
  regressed: [],
};
const overall: RunVerdict = { run_id: RUN_B, run_name: "Today", pairs: 2, cases_in_both: 80, coverage: 1, least_covered: null, weighting: null, score: scored({ cases: 80, clusters: 40 }), note: null, withheld: null, regressed: false };

function found(over: Partial<BenchmarksCompared> = {}): BenchmarksCompared {
  const lone = { run_id: RUN_A, run_name: "Yesterday", target_id: TARGET_C, label: "gone", reason: "no target of 'Today' has its label or its model" };
  return { margin: 0, regressed: false, gate: null, comparisons: [big, small], runs: [overall], unpaired: [lone], models: [], comparison: [], winner: null, winner_target_id: null, winner_reason: "", ...over };
}

const targetsOf = (ids: string[][]) => ids.map(([id, label]) => ({ ...target, id: id!, label: label! }));

function serve(answer: (asked: CompareBenchmarks) => Response = () => HttpResponse.json(found())) {
  const asked: CompareBenchmarks[] = [];
  const cases: string[][] = [];
  server.use(
    http.get("*/api/runs/:runId", ({ params }) =>
      HttpResponse.json(
        params.runId === RUN_A
          ? runDetail({ id: RUN_A, name: "Yesterday", targets: targetsOf([[TARGET_A, "small"], [TARGET_C, "old"]]) })
          : runDetail({ id: RUN_B, name: "Today", targets: targetsOf([[TARGET_B, "large"], [TARGET_D, "new"]]) }),
      ),
    ),
    http.post("*/v1/benchmarks/compare", async ({ request }) => {
      asked.push((await request.json()) as CompareBenchmarks);
      return answer(asked.at(-1)!);
    }),
    http.get("*/api/comparisons/cases", ({ request }) => {
      cases.push(new URL(request.url).searchParams.getAll("column"));
      return HttpResponse.json(pageOf([comparedCase(1)], 200));
    }),
  );
  return { asked, cases };
}

const open = (query: string) => renderAt(`/compare?${query}`, [{ path: "/compare", Component: ComparePage }]);

test("two runs have one verdict over all pairs, one for each, and what is not compared", async () => {
  const { asked } = serve();
  open(RUNS);
  const run = await screen.findByRole("region", { name: "The run" });
  expect(run).toHaveTextContent("Today against Yesterday");
  expect(run).toHaveTextContent("Better by 8.0 points");
  expect(run).toHaveTextContent("over 2 pairs of targets with 80 cases in 40 clusters");
  expect(run).toHaveTextContent("Not every pair goes this way: new is worse.");
  const [first, second] = within(screen.getByRole("list", { name: "Pairs" })).getAllByRole("listitem").filter((one) => one.parentElement?.getAttribute("aria-label") === "Pairs");
  expect(first).toHaveTextContent("large against small");
  expect(first).toHaveTextContent("same label");
  expect(first).toHaveTextContent("temperature: not set → 0.5");
  expect(second).toHaveTextContent("Model and parameters are the same.");
  expect(second).toHaveTextContent("Worse by 6.0 points");
  expect(screen.getByRole("list", { name: "Not compared" })).toHaveTextContent("gone of Yesterday: no target of 'Today' has its label or its model.");
  expect(asked[0]).toEqual({ run_ids: [RUN_A, RUN_B], pairs: [] });
});

test("the cases of a pair are shown on a click, and the choice is in the URL", async () => {
  const { cases } = serve();
  const { router } = open(RUNS);
  await waitFor(() => expect(cases.at(-1)).toEqual([`${RUN_A}:${TARGET_A}`, `${RUN_B}:${TARGET_B}`]));
  await userEvent.click(screen.getByRole("button", { name: "Show its cases" }));
  await waitFor(() => expect(cases.at(-1)).toEqual([`${RUN_A}:${TARGET_C}`, `${RUN_B}:${TARGET_D}`]));
  expect(router.state.location.search).toContain(`target=${TARGET_D}`);
});

test("targets are paired by hand, which is a step that Back undoes", async () => {
  const { asked } = serve();
  const { router } = open(RUNS);
  await userEvent.click(await screen.findByText("Pair by hand"));
  const select = screen.getByRole("combobox", { name: "small is compared with" });
  expect(select).toHaveDisplayValue("Automatic: large");
  await userEvent.selectOptions(select, "new");
  await waitFor(() => expect(asked.at(-1)?.pairs).toEqual([{ baseline_target_id: TARGET_A, target_id: TARGET_D }]));
  expect(new URLSearchParams(router.state.location.search).getAll("pair")).toEqual([`${TARGET_A}:${TARGET_D}`]);
  await router.navigate(-1);
  await waitFor(() => expect(asked.at(-1)?.pairs).toEqual([]));
});

test("runs that share nothing say why, and can be paired by hand at once", async () => {
  serve((body) =>
    body.pairs?.length
      ? HttpResponse.json(found())
      : HttpResponse.json({ title: "Nothing to compare", status: 422, detail: "no targets of these runs belong together" }, { status: 422, headers: { "Content-Type": "application/problem+json" } }),
  );
  open(RUNS);
  expect(await screen.findByText(/no targets of these runs belong together/)).toBeVisible();
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "old is compared with" }), "large");
  expect(await screen.findByRole("region", { name: "The run" })).toBeVisible();
});

test("a gate is over all pairs", async () => {
  const { asked } = serve((body) => HttpResponse.json(found({ gate: body.gate ? gateOut() : null })));
  open(`${RUNS}&gate=score&margin=0.03`);
  expect(await screen.findByRole("group", { name: "Result of the gate" })).toHaveTextContent("a loss of 3 points is ruled out");
  expect(asked.find((one) => one.gate)).toMatchObject({ run_ids: [RUN_A, RUN_B], gate: { metric: "score", margin: 0.03 } });
});

test("runs are swapped, and pairs by hand with them", async () => {
  serve();
  const { router } = open(`${RUNS}&pair=${TARGET_A}:${TARGET_D}`);
  await userEvent.click(await screen.findByRole("button", { name: "Swap the runs" }));
  const search = new URLSearchParams(router.state.location.search);
  expect([search.getAll("run"), search.getAll("pair")]).toEqual([[RUN_B, RUN_A], [`${TARGET_D}:${TARGET_A}`]]);
});

test("the report has the runs and the pairs by hand", async () => {
  serve();
  open(`${RUNS}&pair=${TARGET_A}:${TARGET_D}`);
  const link = await screen.findByRole("link", { name: "Report in HTML" });
  expect(link).toHaveAttribute("href", `/api/comparisons/report?run=${RUN_A}&run=${RUN_B}&pair=${TARGET_A}%3A${TARGET_D}`);
});

test("a target is in one pair", () => {
  const [ab, cd] = [{ baseline_target_id: TARGET_A, target_id: TARGET_B }, { baseline_target_id: TARGET_C, target_id: TARGET_D }];
  expect(withPair([ab, cd], TARGET_A, TARGET_D)).toEqual([{ baseline_target_id: TARGET_A, target_id: TARGET_D }]);
  expect(withPair([ab, cd], TARGET_A, null)).toEqual([cd]);
  const twice = new URLSearchParams([`${TARGET_A}:${TARGET_B}`, `${TARGET_A}:${TARGET_D}`, "x:y", `${TARGET_C}:${TARGET_D}:z`].map((pair) => ["pair", pair]));
  expect(readPairs(twice)).toEqual([ab]);
});
