/** The words of experiments: states, types, methods, metrics and figures. */

import type { ExperimentOut, ExperimentStatus, ExperimentType, Method, StopRule } from "@/api/generated/orchestrator";
import type { ChipLook, Tone } from "@/components/Chip";
import { formatFixed, formatLatency, formatPart, formatPercent, formatUsd, localNumber, MISSING } from "@/lib/format";

export const STATUSES: readonly ExperimentStatus[] = ["DRAFT", "RUNNING", "PAUSED", "CONCLUDED", "ARCHIVED"];

const STATUS_LOOKS: Record<ExperimentStatus, ChipLook> = {
  DRAFT: { label: "Draft", tone: "neutral", icon: "pencil" },
  RUNNING: { label: "Running", tone: "info", icon: "play" },
  PAUSED: { label: "Paused", tone: "warn", icon: "pause" },
  CONCLUDED: { label: "Concluded", tone: "good", icon: "check" },
  ARCHIVED: { label: "Archived", tone: "neutral", icon: "check" },
};

/** An experiment that has stopped by its rule is stored as paused, and waits for a person. */
export const statusLook = ({ status, stopped }: Pick<ExperimentOut, "status" | "stopped">): ChipLook =>
  status === "PAUSED" && stopped ? { label: "Stopped by itself", tone: "good", icon: "stop" } : STATUS_LOOKS[status];

export const statusLabel = (status: ExperimentStatus) => STATUS_LOOKS[status].label;

export const TYPES: readonly { value: ExperimentType; label: string; hint: string }[] = [
  { value: "AB_TEST", label: "A/B test", hint: "Any change, compared with what is in use today." },
  { value: "PROMPT_COMPARISON", label: "Prompt comparison", hint: "The same model with different prompts." },
  { value: "MODEL_COMPARISON", label: "Model comparison", hint: "Different models with the same prompt." },
  { value: "MULTI_ARM_BANDIT", label: "Bandit", hint: "Variants that do well get more of the next cases. It finds a good variant, but its figures are less exact." },
];

export const typeLabel = (type: ExperimentType) => TYPES.find((one) => one.value === type)?.label ?? type;

export const METHODS: readonly { value: Method; label: string; hint: string }[] = [
  {
    value: "sequential",
    label: "Sequential: stop as soon as it is decided",
    hint: "Looks after every round and stops early, without more false alarms. It uses a confidence sequence: an interval that holds at every look, however often one looks.",
  },
  {
    value: "frequentist",
    label: "Fixed sample: decide once at the end",
    hint: "The classical test. It shows no winner before the planned sample is complete, because looking earlier would find differences that are not there.",
  },
  {
    value: "bayesian",
    label: "Bayesian: how probable is an improvement?",
    hint: "Also decides once at the end. It gives the probability that a variant is better, and the cost of a wrong choice.",
  },
];

const METHOD_NAMES: Record<Method, string> = { sequential: "Sequential", frequentist: "Fixed sample", bayesian: "Bayesian" };
export const methodLabel = (method: Method) => METHOD_NAMES[method];

const METRIC_NAMES: Readonly<Record<string, string>> = { score: "Score", pass_rate: "Pass rate", latency: "Latency", cost: "Cost per answer" };

/** The metrics that need no evaluator of their name. */
export const PLAIN_METRICS = Object.keys(METRIC_NAMES);

export const metricName = (metric: string) => METRIC_NAMES[metric] ?? metric;

/** Differences of these metrics are shares of the control's mean. */
export const isRelative = (metric: string) => metric === "latency" || metric === "cost";

/** Format a mean of a metric. Observations from outside may use another unit for latency and cost. */
export function formatValue(metric: string, value: number | null | undefined): string {
  if (metric === "latency") return formatLatency(value);
  return metric === "cost" ? formatUsd(value) : formatPercent(value);
}

const tenths = localNumber({ minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });

/** Format hundredths with their sign; a true minus is as wide as a plus. */
const signed = (value: number) => tenths.format(value * 100).replace("-", "−");

/** Format a difference of two means: percent of the control's mean, else percentage points. */
export function formatDifference(value: number | null | undefined, relative: boolean): string {
  return value == null ? MISSING : `${signed(value)}${relative ? "%" : " points"}`;
}

export type Ends = readonly [number | null, number | null] | null;

/** Format an interval of differences. An end that is unknown is open. */
export function formatEnds(ends: Ends, relative: boolean): string {
  if (ends === null) return MISSING;
  const [low, high] = ends.map((end) => (end === null ? null : signed(end)));
  return `${low ?? "open"} to ${high ?? "open"}${relative ? "%" : " points"}`;
}

export const formatProbability = (value: number | null | undefined) =>
  value == null ? MISSING : value > 0.999 ? "over 99.9%" : value < 0.001 ? "below 0.1%" : formatPercent(value);

export const formatP = (value: number | null | undefined) => (value == null ? MISSING : value < 0.001 ? `below ${formatFixed(0.001, 3)}` : formatFixed(value, 3));

const RULES: Record<StopRule, string> = {
  decided: "Decided",
  harmful: "A guardrail is lost, or all treatments are worse",
  futile: "The wanted effect is ruled out",
  planned: "The planned sample is complete",
  cases: "All cases are used",
  duration: "The time limit is reached",
  cost: "The cost limit is reached",
};

export const ruleLabel = (rule: StopRule) => RULES[rule];

/** Return the decision so far in a few words, or null. */
export function decisionOf({ conclusion, stopped, variants }: Pick<ExperimentOut, "conclusion" | "stopped" | "variants">): { text: string; detail: string | null } | null {
  if (conclusion) {
    const winner = variants.find((one) => one.variant_id === conclusion.winner);
    return { text: winner ? (winner.is_control ? `Keep ${winner.name}` : `${winner.name} wins`) : "No winner", detail: null };
  }
  return stopped ? { text: ruleLabel(stopped.rule), detail: "waits for its conclusion" } : null;
}

type Counted = Pick<ExperimentOut, "progress" | "sources" | "config">;

/** Return how far an experiment is, or null before its plan. In a split design each case is for one variant, so all count together. */
export function progressOf({ progress, sources, config }: Counted): { done: number; total: number; unit: string } | null {
  const { done, planned, calls, planned_calls: plannedCalls } = progress;
  if (planned === null) return null;
  if (sources === "none") return { done, total: planned, unit: "units" };
  return config.design === "split" && plannedCalls !== null ? { done: calls, total: plannedCalls, unit: "cases" } : { done, total: planned, unit: "cases" };
}

/** Return the sentence about saved calls, or null where nothing was saved or the experiment goes on. */
export function savingsOf(experiment: Counted & Pick<ExperimentOut, "stopped">): string | null {
  const { progress: { saved_share: share }, stopped, sources } = experiment;
  const counted = progressOf(experiment);
  if (sources === "none" || share === null || counted === null || stopped === null || share <= 0) return null;
  const verb = stopped.rule === "decided" ? "Decided" : "Stopped";
  return `${verb} after ${formatPart(counted.done, counted.total)} cases: ${Math.round(share * 100)}% of the calls not made.`;
}

/** The looks of a state, that of a treatment or of the analysis. */
const STATES: Readonly<Record<string, { label: string; tone: Tone; icon: ChipLook["icon"] }>> = {
  unhealthy: { label: "Data not trustworthy", tone: "bad", icon: "alert" },
  n_left: { label: "Undecided so far", tone: "neutral", icon: "clock" },
  ship: { label: "Better", tone: "good", icon: "check" },
  roll_back: { label: "Worse", tone: "bad", icon: "cross" },
  harmful: { label: "Guardrail lost", tone: "bad", icon: "alert" },
  futile: { label: "Effect ruled out", tone: "warn", icon: "ban" },
  limit: { label: "Not decided", tone: "warn", icon: "half" },
  review: { label: "A person decides", tone: "warn", icon: "scale" },
};

export const stateLook = (state: string): ChipLook => STATES[state] ?? { label: state, tone: "neutral", icon: "dot" };
