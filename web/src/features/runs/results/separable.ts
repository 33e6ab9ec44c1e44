import type { TargetResult } from "@/api/generated/orchestrator";

export interface Verdict {
  text: string;
  /** Overlapping intervals do not decide about a difference: only a paired comparison does. */
  overlaps: boolean;
}

/** Below this share of scored items no claim is made: the others may be the ones that differ. */
export const ENOUGH = 0.9;

/** The targets that have scores for less than 90 % of their items. */
export const thinOf = (results: readonly TargetResult[]) => results.filter((one) => one.scored < ENOUGH * one.items);

/** The targets whose mean has no interval, as their scores have no spread: one of them may be the best. */
export const withoutInterval = (results: readonly TargetResult[]) => results.filter((one) => one.mean_score !== null && one.mean_score_interval === null);

/** Compare the best target's interval with the others', in words. Null if nothing can be compared. */
export function verdictOf(results: readonly TargetResult[]): Verdict | null {
  const ranked = results.filter((one) => one.mean_score !== null).toSorted((a, b) => (b.mean_score ?? 0) - (a.mean_score ?? 0));
  const best = ranked[0];
  if (!best?.mean_score_interval || ranked.length < 2 || thinOf(results).length + withoutInterval(results).length > 0) return null;
  const { low } = best.mean_score_interval;
  const level = ranked.filter((one) => one !== best && (one.mean_score_interval?.high ?? 0) >= low);
  if (level.length === 0) return { text: `${best.label} scores highest, and its interval overlaps with no other.`, overlaps: false };
  return { text: `The interval of ${best.label} overlaps with ${level.length === 1 ? `that of ${level[0]?.label}` : `those of ${level.length} others`}:`, overlaps: true };
}
