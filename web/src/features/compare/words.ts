/** Verdicts in plain words. A point is a hundredth of the judge's scale, as the figures are shown. */

import type { ColumnComparison, ComparedColumn, Comparison, ItemDetail, PassComparison, ScoreComparison } from "@/api/generated/orchestrator";
import type { ChipLook } from "@/components/Chip";
import { coveredWords } from "@/lib/covered-words";
import { formatCount, formatFixed, localNumber, plural } from "@/lib/format";
import { letterOf } from "./column-name";

const points = localNumber({ minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "never" });
const signed = localNumber({ minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });
const raw = localNumber({ maximumFractionDigits: 2, signDisplay: "exceptZero" });

/** A true minus, which is as wide as a plus. */
const minus = (text: string) => text.replace("-", "−");

/** A difference of scores in points: `+4.2`. */
export function formatPoints(difference: number): string {
  return minus(signed.format(difference * 100));
}

/** A difference on the judge's own scale: `+2`. */
export function formatDelta(difference: number, scale: { scale_min: number; scale_max: number }): string {
  return minus(raw.format(difference * (scale.scale_max - scale.scale_min)));
}

/** Format an interval in points, from low to high. */
export function range({ low, high }: { low: number; high: number }): string {
  return `${formatPoints(low)} to ${formatPoints(high)}`;
}

/** A pair of columns, or a run over all its pairs. */
type Compared = Pick<ColumnComparison, "score" | "note" | "withheld" | "coverage" | "least_covered" | "cases_in_both"> & { pairs?: number };

export function verdictLook(one: Compared): ChipLook {
  if (!one.score) return { label: "Not comparable", tone: "warn", icon: "ban" };
  if (one.score.verdict === null) return { label: "Not over", tone: "info", icon: "clock" };
  if (one.score.verdict === "low coverage") return { label: "Low coverage", tone: "warn", icon: "alert" };
  if (one.score.verdict === "better") return { label: "Better", tone: "good", icon: "up" };
  if (one.score.verdict === "worse") return { label: "Worse", tone: "bad", icon: "down" };
  return { label: "Not separable", tone: "neutral", icon: "scale" };
}

/** Return the verdict in words, and why it is no stronger. It is derived from the shown interval. */
export function verdictWords(one: Compared): string {
  const { score } = one;
  if (!score) return one.note ?? "There are no scores to compare.";
  if (one.withheld) return one.withheld;
  if (score.mean === null) return "No case is scored in both.";
  if (score.verdict === "low coverage") return `Only ${coveredWords(one)} that both have are scored in both, and 90% are needed: the other cases may be the ones that differ.`;
  if (score.verdict === "not separable" && score.better + score.worse === 0) return score.cases === 1 ? "The one compared case scores the same." : `All ${formatCount(score.cases)} compared cases score the same.`;
  const size = `${points.format(score.mean * 100)} points`;
  const bounds = score.simultaneous ? `, ${range(score.simultaneous)}` : "";
  if (score.verdict === "better") return `Better by ${size}${bounds}.`;
  if (score.verdict === "worse") return `Worse by ${size}${bounds}.`;
  return `${formatPoints(score.mean)} points${score.simultaneous ? ` (${range(score.simultaneous)})` : ""} may be chance: ${tooFew(score)}`;
}

/** "40 cases", or "40 conversations" and the like, which are clusters of cases. */
function units({ cases, clusters }: ScoreComparison): string {
  return cases === clusters ? plural(cases, "case") : plural(clusters, "cluster");
}

function tooFew(score: ScoreComparison): string {
  const { clusters, clusters_needed: needed, mean } = score;
  if (mean === 0) return `better and worse cancel out over ${units(score)}.`;
  if (clusters === 1) return `${units(score)} is too few.`;
  if (needed === null || needed > 100_000) return `a difference this small cannot be distinguished from none.`;
  return `${units(score)} are too few, about ${formatCount(needed)} would tell.`;
}

/** Name the answers that count as 0 because the model refused or broke the format. */
export function zeroWords({ zeros, baseline_zeros: before }: ColumnComparison): string | null {
  if (zeros + before === 0) return null;
  const here = zeros > 0 && `${formatCount(zeros)} here`;
  const there = before > 0 && `${formatCount(before)} of the baseline’s`;
  return `Refused or malformed answers count as 0: ${[here, there].filter(Boolean).join(", ")}.`;
}

/** Cases that pass only in the column, or only in the baseline: their value of `show`, and how many they are in words. */
export interface MovedCases {
  show: "gained" | "lost";
  words: string;
}

/** Return whether a column, or each column if `at` is null, is of the baseline’s run. Such columns are models side by side, and none came before the other. */
export function isOfOneRun({ columns, baseline }: Comparison, at: number | null): boolean {
  const run = columns[baseline]?.run_id;
  return (at === null ? columns : columns.slice(at, at + 1)).every((one) => one.run_id === run);
}

/** Say which cases pass on one side only, with the verb for one or for several. `at` is null for all columns but the baseline. */
export function passWords(comparison: Comparison, at: number | null, pass: "passes" | "pass"): Record<MovedCases["show"], string> {
  if (!isOfOneRun(comparison, at)) return { gained: `now ${pass}`, lost: `no longer ${pass}` };
  const base = letterOf(comparison.baseline);
  if (at === null) return { gained: `${pass} with another, not with ${base}`, lost: `${pass} with ${base}, not with another` };
  return { gained: `${pass} only with ${letterOf(at)}`, lost: `${pass} only with ${base}` };
}

/** Describe how pass and fail of a column differ from the baseline: the parts that name cases, and the end of the sentence. */
export function passParts({ cases, gained, lost, verdict }: PassComparison, comparison: Comparison, at: number): { moved: MovedCases[]; end: string } {
  if (cases === 0) return { moved: [], end: "No case was passed or failed in both." };
  if (gained + lost === 0) return { moved: [], end: "The same cases pass." };
  const moved: MovedCases[] = [];
  if (gained > 0) moved.push({ show: "gained", words: `${formatCount(gained)} ${passWords(comparison, at, gained === 1 ? "passes" : "pass").gained}` });
  if (lost > 0) moved.push({ show: "lost", words: `${formatCount(lost)} ${passWords(comparison, at, lost === 1 ? "passes" : "pass").lost}` });
  return { moved, end: `${verdict === "not separable" ? " (may be chance)" : ""}.` };
}

/** Say what the numbers of the groups count if they can add up to more than the cases; else null. */
export function countWords(columns: number, of: number | null): string | null {
  if (columns <= 2 || of !== null) return null;
  return "Each number counts the cases that went this way in at least one column. A case that went two ways is in both, so the numbers can add up to more than the cases.";
}

/** Format a value as a multiple of the baseline's, such as `1.8 ×`. Null if either is unknown or the baseline is 0. */
export function formatRatio(value: number | null, baseline: number | null): string | null {
  if (value === null || !baseline) return null;
  const ratio = value / baseline;
  return `${ratio >= 10 ? Math.round(ratio) : formatFixed(ratio, ratio < 0.1 ? 2 : 1)} ×`;
}

/** Return the reasons or errors of the compared scores, each with whose it is. */
export const reasonsOf = (item: ItemDetail, column: ComparedColumn) =>
  item.scores.flatMap((one) => {
    const text = one.reason ?? one.error;
    return text && column.judge?.scoring.includes(one.evaluator_revision_id) ? [{ id: one.id, name: `Reason of ${one.judge_model ?? one.evaluator}`, text }] : [];
  });
