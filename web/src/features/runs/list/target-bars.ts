/** The targets of a run with their scores, the best first. */

import type { Interval, RunSummary } from "@/api/generated/orchestrator";

/** More would make a row taller than the others around it. */
export const MOST_BARS = 3;

export interface TargetBar {
  id: string;
  label: string;
  mean: number | null;
  interval: Interval | null;
}

/** Return the targets by score, those without one last, in the order of the run. */
export function targetBars({ targets, target_scores: scores = [] }: Pick<RunSummary, "targets" | "target_scores">): TargetBar[] {
  const known = new Map(scores.map((one) => [one.target_id, one]));
  return targets
    .map(({ id, label }) => ({ id, label, mean: known.get(id)?.mean_score ?? null, interval: known.get(id)?.mean_score_interval ?? null }))
    .toSorted((a, b) => (b.mean ?? -1) - (a.mean ?? -1));
}
