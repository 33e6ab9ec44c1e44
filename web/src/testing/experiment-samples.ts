/** Experiments as the API returns them, for tests. */

import type { AnalysisOut, ComparisonOut, ExperimentOut, ExperimentPlan, LookOut, ResultsOut, RoundOut, VariantOut, VariantResult } from "@/api/generated/orchestrator";

const AT = "2026-11-20T10:00:00.000Z";

const variant = (id: string, name: string, isControl: boolean): VariantOut => ({
  variant_id: id, name, is_control: isControl, traffic_allocation: 0.5, config: { model: { provider_id: "provider-1", name: `model-${id}` } },
  sample_count: 0, metric_sum: 0, metric_sum_squares: 0, missing_count: 0, out_reason: null, out_at: null, created_at: AT,
});

export const experimentOut = (more: Partial<ExperimentOut> = {}): ExperimentOut => ({
  experiment_id: "experiment-1", name: "Shorter prompt", hypothesis: "It answers as well.", notes: null, type: "AB_TEST", status: "RUNNING", status_reason: null,
  primary_metric: "pass_rate", direction: "higher_is_better", guardrail_metrics: [{ metric: "latency", margin: 0.1, direction: "lower_is_better", relative: true }],
  config: {
    method: "sequential", significance_level: 0.05, design: "paired", minimum_effect: 0.05, power: 0.8, minimum_sample_size: null, maximum_sample_size: null,
    maximum_duration_days: null, maximum_cost_usd: null, cluster_by: null, round_size: null, seed: 7,
  },
  variants: [variant("control", "Control", true), variant("treatment", "Treatment", false)],
  sources: { collection_ids: ["collection-1"], dataset_version_ids: [] }, evaluators: [{ kind: "contains", params: { texts: ["yes"] } }], judge: null, panel: null, calls: {},
  progress: { planned: 400, done: 140, rounds: 7, looks: 7, cases: 400, clusters: 400, cost_usd: 0.4, calls: 280, planned_calls: 800, saved_share: null },
  stopped: null, conclusion: null, version: 3, created_at: AT, created_by: null, updated_at: AT, started_at: AT, concluded_at: null, ...more,
});

export const comparisonOut = (more: Partial<ComparisonOut> = {}): ComparisonOut => ({
  variant_id: "treatment", name: "Treatment", state: "n_left", sample_size: 140, expected: 0.062, relative: false, interval: [-0.01, 0.13], level: 0.95, method: "betting",
  robust_interval: null, sequence: null, lift: 0.08, p_value: null, raw_p_value: null, probability_of_improvement: null, risk_of_treatment: null, risk_of_control: null,
  effect_size: 0.3, effect_word: "small", power: null, sample_left: 60, is_significant: null, favourable: true, sentence: "", reason: null, ...more,
});

export const variantResult = (id: string, name: string, more: Partial<VariantResult> = {}): VariantResult => ({
  variant_id: id, name, is_control: id === "control", is_out: false, out_reason: null, sample_size: 140, assigned: 140, answered: 140, missing: 0, coverage: 1,
  probability_best: null, next_allocation: null,
  metrics: {
    primary: { mean: 0.8, std: 0.4, confidence_interval: [0.73, 0.86], confidence_level: 0.95, method: "betting", inverse_propensity_mean: null },
    guardrails: id === "control" ? [] : [{ metric: "latency", mean: 410, control_mean: 400, difference: 0.025, interval: [-0.01, 0.06], level: 0.95, margin: 0.1, relative: true, direction: "lower_is_better", passed: true, lost: false, method: "welch", reason: null }],
  },
  reason: null, ...more,
});

export const analysisOut = (more: Partial<AnalysisOut> = {}): AnalysisOut => ({
  winner: null, best: "treatment", p_value: null, probability_of_improvement: null, effect_size: 0.3, is_significant: null, recommendation: "Go on.",
  sentence: "Treatment may be better, but it is not certain yet.", state: "n_left", done: false, sample_left: 60, comparisons: [comparisonOut()],
  sample_ratio: { chi_square: null, p_value: null, mismatch: false }, method: "betting confidence sequence", stopping_rule: "Stops when 0 is outside.", assumptions: ["Cases are independent."],
  library: "llmbench 1.0", warnings: [], ...more,
});

export const resultsOut = (analysis: AnalysisOut | null = analysisOut()): ResultsOut => ({
  experiment_id: "experiment-1", status: "RUNNING", primary_metric: "pass_rate", direction: "higher_is_better", look: analysis ? 7 : null, made_at: analysis ? AT : null,
  planned: 400, done: 140, variants: analysis ? [variantResult("control", "Control"), variantResult("treatment", "Treatment")] : [], analysis,
});

export const lookOut = (number: number, more: Partial<LookOut> = {}): LookOut => ({
  look_id: `look-${number}`, number, round: number, made_at: AT, done: 20 * number, planned: 400, variants: [], analysis: analysisOut(), ...more,
});

export const roundOut = (number: number, more: Partial<RoundOut> = {}): RoundOut => ({
  round_id: `round-${number}`, number, attempt: 1, status: "OVER", variant_ids: ["control", "treatment"], cases: 20, run_id: `run-${number}`, run_status: "FINISHED", run_outcome: "complete",
  items: 40, items_done: 40, reason: null, created_at: AT, ended_at: AT, ...more,
});

export const experimentPlan = (more: Partial<ExperimentPlan> = {}): ExperimentPlan => ({
  sample_size: 300, planned: 300, cases: 400, clusters: 400, enough: true, power: 0.8, minimum_detectable_effect: 0.05, rounds: 20, round_size: 15, calls: 600, judge_calls: 0, expected_calls: 350,
  cost_usd: 1.2, duration_s: 900, standard_deviation: 0.5, basis: "assumed", method: "paired t", curve: [{ effect: 0.1, sample_size: 80, power: 0.99, calls: 160, cost_usd: 0.3 }], variants: [], warnings: [], ...more,
});
