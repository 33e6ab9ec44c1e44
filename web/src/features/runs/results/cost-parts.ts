/** Divide the cost of a run into its answers, its judging, and other calls. */

import type { RunDetail } from "@/api/generated/orchestrator";
import { formatUsd, LEAST_USD } from "@/lib/format";

export type CostOf = "answers" | "judging" | "other calls";

/** Explains the other calls, which are in no figure of an answer or a score. */
export const OTHER_CALLS = "Other calls warmed up a model or failed, or their answer or score was replaced.";

/** Return the parts of a run's cost that are known and not zero. They add up to the cost of the run. Return nothing where the
 * answers and scores cost more than the run, because it did not pay for all of them. */
export function costParts({ cost_usd: cost, totals, evaluators }: Pick<RunDetail, "cost_usd" | "totals" | "evaluators">): [CostOf, number][] {
  const answers = totals.cost_usd ?? 0;
  const judging = evaluators.reduce((sum, one) => sum + (one.cost_usd ?? 0), 0);
  const other = cost - answers - judging;
  if (other < -LEAST_USD) return [];
  // Less may be an error of rounding.
  const parts: [CostOf, number][] = [["answers", answers], ["judging", judging], ["other calls", other < LEAST_USD ? 0 : other]];
  return parts.filter(([, usd]) => usd > 0);
}

/** Return the parts in words, or null where there is nothing to divide. */
export function costPartsInWords(parts: readonly [CostOf, number][]): string | null {
  const [first, second] = parts;
  if (first === undefined) return null;
  if (second === undefined) return `${first[0]} only`;
  // A part does not break between its name and its amount.
  return parts.map(([name, usd]) => `${name} ${formatUsd(usd)}`.replaceAll(" ", "\u00A0")).join(" · ");
}
