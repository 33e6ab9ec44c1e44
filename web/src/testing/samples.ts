/** One of everything, to be varied by the test that needs another. */

import type { EvaluatorOut, Figures, ItemDetail, ItemOut, ItemRow, RunDetail, RunSummary, ScoreOut, TargetOut } from "@/api/generated/orchestrator";
import type { LiveEvent, LogEvent } from "@/live/event-schemas";

export const RUN_ID = "0193a000-0000-7000-8000-000000000001";
const params = { temperature: 0 };
const at = "2026-01-01T12:00:00.000Z";

export const target: TargetOut = { id: "target-1", label: "tiny t=0", provider_id: "p", provider_name: "Local", model: "tiny", params, epochs: 1, timeout_s: 300, max_attempts: 3, use_cache: false };

export const noFigures: Figures = {
  items: 0,
  completed: 0,
  failed: 0,
  scored: 0,
  clusters: 0,
  mean_score: null,
  mean_score_interval: null,
  pass_rate: null,
  pass_rate_interval: null,
  timed: 0,
  cached: 0,
  mean_time_ms: null,
  p50_time_ms: null,
  p95_time_ms: null,
  p99_time_ms: null,
  mean_first_token_ms: null,
  p50_first_token_ms: null,
  p95_first_token_ms: null,
  p99_first_token_ms: null,
  mean_tokens_per_second: null,
  busy_s: null,
  requests_per_second: null,
  system_tokens_per_second: null,
  prompt_tokens: 0,
  completion_tokens: 0,
  reasoning_tokens: 0,
  estimated_usage: 0,
  cut: 0,
  priced: 0,
  cost_usd: null,
};

export function runSummary(over: Partial<RunSummary> = {}): RunSummary {
  return {
    id: RUN_ID,
    type: "BENCHMARK",
    name: "First run",
    description: null,
    tags: [],
    baseline_run_id: null,
    warnings: [],
    max_cost_usd: null,
    cluster_by: null,
    cluster_level: "case",
    cost_usd: 0,
    unpriced_calls: 0,
    status: "RUNNING",
    phase: "BENCHMARKING",
    outcome: null,
    status_reason: null,
    judge: { provider_id: "p", provider_name: "Local", model: "judge-1", params },
    targets: [target],
    evaluators: [],
    dataset_versions: [],
    collections: [{ id: "c", name: "Arithmetic" }],
    counts: { items: 4, answered: 1, judged: 0, failed: 0 },
    created_at: at,
    started_at: at,
    reopened_at: null,
    finished_at: null,
    took_s: 0,
    mean_score: null,
    target_scores: [],
    cases: 4,
    ...over,
  };
}

export function runDetail(over: Partial<RunDetail> = {}): RunDetail {
  return {
    ...runSummary(),
    limits: { concurrency: 1, timeout_s: 300, max_attempts: 3, max_backoff_s: 1800, max_conversation_history: 10, parallel_groups: 1 },
    gates: [],
    groups: [],
    evaluators: [],
    totals: noFigures,
    cost_parts: null,
    results: [],
    categories: [],
    tasks: null,
    current: null,
    others: [],
    last_seq: 0,
    ...over,
  };
}

export function evaluatorOut(over: Partial<EvaluatorOut> = {}): EvaluatorOut {
  return {
    name: "rubric", title: "Rubric", kind: "rubric", revision_id: "revision-1", judge_provider_id: "p", judge_model: "judge-1", weight: 1, required: true, pass_threshold: null,
    scale_min: 0, scale_max: 10, whole: true, primary: true, params: {}, schema_name: "verdict", schema_version: "1", prompt_hash: "h", targets: [],
    asked: 12, scored: 9, unparsed: 1, refused: 0, errored: 0, pending: 2, verdicts: 9, clusters: 9, mean_score: null, mean_score_interval: null, pass_rate: 1, pass_rate_interval: null,
    length_baseline: { spearman: null, answers: 9, undefined_because: null }, cost_usd: 0.5, member: false, panel: null, agreement: null, judging: null,
    ...over,
  };
}

export function itemRow(position: number, over: Partial<ItemOut> = {}): ItemOut {
  return { ...liveRow(position), scores: [], ...over };
}

/** Return a row as delivered by an event. */
export function liveRow(position: number): ItemRow {
  return {
    id: `item-${position}`,
    position,
    task_id: `task-${position}`,
    category: "arithmetic",
    target_id: "target-1",
    target_label: "tiny t=0",
    model: "tiny",
    status: "NEW",
  };
}

export function itemDetail(row: ItemOut, over: Partial<ItemDetail> = {}): ItemDetail {
  return {
    ...row,
    run_id: RUN_ID,
    case: { id: "case", task_id: row.task_id, category: row.category, question: "What is 17 + 25?", excellent: "42" },
    system_prompt: null,
    rendered: null,
    answer: null,
    reasoning: null,
    refusal: null,
    notes: [],
    redactions: 0,
    citations: null,
    usage: null,
    timings: null,
    cost: null,
    request: null,
    response: null,
    scores: [],
    ...over,
  };
}

export function scoreOut(over: Partial<ScoreOut> = {}): ScoreOut {
  return {
    id: "s", evaluator_revision_id: "r", evaluator: "numeric", kind: "numeric", status: "SCORED", outcome: "scored", raw: 1, scale_min: 0, scale_max: 1, normalised: 1,
    passed: true, reason: "The number is 72.", error: null, extraction: null, details: {}, attempts: 1, cost_usd: null, judge_model: null, judge_prompt: null, judge_reply: null, notes: [], redactions: 0, ...over,
  };
}

export function logged(seq: number, text = `line ${seq}`, over: Partial<LogEvent> = {}): LogEvent {
  return { type: "llmbench.run.logged.v1", run_id: RUN_ID, run_seq: seq, at, kind: "note", text, ...over };
}

export function changed(seq: number, item: ItemRow): LiveEvent {
  return { type: "llmbench.run.item_changed.v1", run_id: RUN_ID, run_seq: seq, at, item };
}

export function statusChanged(seq: number, status: RunSummary["status"], phase: RunSummary["phase"] = "BENCHMARKING"): LiveEvent {
  return { type: "llmbench.run.status_changed.v1", run_id: RUN_ID, run_seq: seq, at, status, phase };
}
