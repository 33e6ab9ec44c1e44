/** A comparison of two columns, to be varied by the test that needs another. */

import type { CaseGroups, Cell, ColumnComparison, ComparedCase, ComparedCases, ComparedColumn, Comparison, GateOut, ScoreComparison } from "@/api/generated/orchestrator";
import { noFigures } from "./samples";

export const RUN_A = "0193a000-0000-7000-8000-00000000000a";
export const RUN_B = "0193a000-0000-7000-8000-00000000000b";
export const TARGET_A = "0193a000-0000-7000-8000-0000000000aa";
export const TARGET_B = "0193a000-0000-7000-8000-0000000000bb";
export const COLUMNS = `column=${RUN_A}:${TARGET_A}&column=${RUN_B}:${TARGET_B}`;

export function column(over: Partial<ComparedColumn> = {}): ComparedColumn {
  return {
    run_id: RUN_A,
    run_name: "Yesterday",
    run_status: "FINISHED",
    run_created_at: "2026-01-01T12:00:00.000Z",
    target_id: TARGET_A,
    label: "small",
    provider_name: "Local",
    model: "small",
    judge: { scoring: "revision-1", kind: "rubric", judge_model: "judge-1", scale_min: 0, scale_max: 10 },
    figures: { ...noFigures, items: 40, scored: 40, mean_score: 0.62, p50_time_ms: 400 },
    ...over,
  };
}

export function scored(over: Partial<ScoreComparison> = {}): ScoreComparison {
  return { cases: 40, better: 12, worse: 5, equal: 23, mean: 0.08, interval: { low: 0.03, high: 0.13 }, simultaneous: over.interval === undefined ? { low: 0.03, high: 0.13 } : over.interval, mean_here: 0.7, mean_baseline: 0.62, clusters: over.cases ?? 40, method: "bootstrap-t", verdict: "better", clusters_needed: null, ...over };
}

export function compared(over: Partial<ColumnComparison> = {}): ColumnComparison {
  return {
    column: 1,
    paired_by: null,
    differs: [],
    cases_in_both: 40,
    only_baseline: 0,
    only_here: 1,
    questions_differ: 0,
    references_changed: 0,
    references_note: null,
    missing: 1,
    score: scored(),
    passes: { cases: 40, gained: 6, lost: 1, rate_difference: 0.125, interval: null, simultaneous: null, verdict: "not separable" },
    coverage: 1,
    least_covered: null,
    weighting: null,
    zeros: 0,
    baseline_zeros: 0,
    withheld: null,
    note: null,
    evaluators: [],
    ...over,
  };
}

export function comparison(over: Partial<Comparison> = {}): Comparison {
  const second = column({ run_id: RUN_B, run_name: "Today", target_id: TARGET_B, label: "large", model: "large", figures: { ...noFigures, items: 41, scored: 40, mean_score: 0.7, p50_time_ms: 1000 } });
  return { columns: [column(), second], baseline: 0, cases: 41, comparisons: [compared()], cluster_by: null, winner: 1, winner_reason: null, ...over };
}

export function cell(over: Partial<Cell> = {}): Cell {
  return { item_id: "item-a", status: "COMPLETED", failure: null, epochs: 1, scored: 1, score: 6, score_normalised: 0.6, passed: true, difference: null, answer: "an answer", truncated: false, time_ms: 400, cost_usd: null, ...over };
}

export function cases(items: ComparedCase[], total = items.length, groups: Partial<CaseGroups> = {}): ComparedCases {
  return { items, total, groups: { better: total, worse: 0, equal: 0, missing: 0, changed: 0, gained: 0, lost: 0, ...groups }, next_cursor: null };
}

export function comparedCase(number: number, over: Partial<ComparedCase> = {}): ComparedCase {
  return {
    task_id: `task-${number}`,
    category: "arithmetic",
    question: `What is ${number} + 25?`,
    questions_differ: false,
    reference_changed: false,
    cells: [cell({ item_id: `a-${number}` }), cell({ item_id: `b-${number}`, score: 8, score_normalised: 0.8, difference: 0.2 })],
    ...over,
  };
}

export function gateOut(over: Partial<GateOut> = {}): GateOut {
  return {
    metric: "score",
    title: "mean score",
    relative: false,
    lower_is_better: false,
    margin: 0.03,
    state: "fine",
    lower_than_baseline: false,
    pairs: [
      {
        run_id: RUN_B,
        target_id: TARGET_B,
        label: "large",
        state: "fine",
        lower_than_baseline: false,
        sentence: "",
        mean: 0.012,
        mean_here: 0.632,
        mean_baseline: 0.62,
        interval: { low: -0.008, high: 0.031 },
        method: "bootstrap-t",
        cases: 40,
        clusters: 40,
        shared_cases: 40,
        coverage: 1,
        probability_fine: 0.93,
        clusters_needed: null,
        margin_needed: null,
      },
    ],
    ...over,
  };
}
