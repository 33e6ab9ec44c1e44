/** The verdict of one column against the baseline as sentences: quality, cases, cost, speed. */

import type { ColumnComparison, ComparedColumn, Comparison } from "@/api/generated/orchestrator";
import { formatCount, formatLatency, formatPercent, formatUsd, plural } from "@/lib/format";
import { columnName } from "./column-name";
import { formatPoints, formatRatio, isOfOneRun, range, verdictWords } from "./words";

/** Say which column is better, whether that is sure, and by how much. */
export function qualitySentence(comparison: Comparison, one: ColumnComparison): string {
  const [here, base] = [columnName(comparison.columns[one.column], one.column), columnName(comparison.columns[comparison.baseline], comparison.baseline)];
  const { score } = one;
  if (!score || score.mean === null || score.verdict === null || score.verdict === "low coverage") return `${here} and ${base}: no verdict. ${verdictWords(one)}`;
  const means = `${formatPercent(score.mean_here)} against ${formatPercent(score.mean_baseline)}`;
  if (score.verdict === "not separable") return `${here} and ${base} cannot be told apart (${means}). ${verdictWords(one)}`;
  const bounds = score.simultaneous ? `, ${range(score.simultaneous)}` : "";
  return `${here} is ${score.verdict} than ${base}: ${means}. The difference is more than chance: ${formatPoints(score.mean)} points${bounds}.`;
}

/** Count the cases by the way they went, and those that are not compared. */
export function casesSentence(comparison: Comparison, { column, score, missing }: ColumnComparison): string | null {
  if (!score) return null;
  const apart = missing > 0 ? ` ${plural(missing, "more case is", "more cases are")} not compared.` : "";
  const [better, equal] = isOfOneRun(comparison, column) ? [score.better === 1 ? "is" : "are", "equal"] : ["got", "stayed equal"];
  return `Of ${plural(score.cases, "compared case")}, ${formatCount(score.better)} ${better} better, ${formatCount(score.worse)} worse, and ${formatCount(score.equal)} ${equal}.${apart}`;
}

/** The costs of two columns; null if neither is known. */
export function costSentence(here: ComparedColumn, base: ComparedColumn): string | null {
  const [mine, other] = [perAnswer(here), perAnswer(base)];
  if (mine === null && other === null) return null;
  if (mine === null && here.figures.cached > 0 && here.figures.timed === 0) return `Its answers came from the cache and cost nothing here; the baseline’s cost ${formatUsd(other)} each.`;
  if (mine === null || other === null) return `Cost per answer: ${formatUsd(mine)} against ${formatUsd(other)}, so it cannot be compared.`;
  // Means of equal costs over different numbers of answers differ by rounding errors.
  if (Math.abs(mine - other) <= 1e-9 * other) return mine === 0 ? "Neither costs anything." : `Both cost ${formatUsd(mine)} an answer.`;
  return `An answer costs ${formatUsd(mine)} instead of ${formatUsd(other)}${times(mine, other)}.`;
}

/** The median times of an answer; null if one is unknown. */
export function speedSentence(here: ComparedColumn, base: ComparedColumn): string | null {
  const [mine, other] = [here.figures.p50_time_ms, base.figures.p50_time_ms];
  if (mine === null || other === null) return null;
  return `Half of its answers take up to ${formatLatency(mine)}; of the baseline’s, ${formatLatency(other)}${times(mine, other)}.`;
}

function times(value: number, baseline: number): string {
  const ratio = formatRatio(value, baseline);
  return ratio === null ? "" : ` (${ratio})`;
}

/** Return the mean cost of the answers that were paid for at a known cost; null without any. */
function perAnswer({ figures: { cost_usd: cost, priced } }: ComparedColumn): number | null {
  return cost === null || priced === 0 ? null : cost / priced;
}
