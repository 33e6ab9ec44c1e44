/** The statements of the first screen after a run about its targets. */

import type { TargetResult, Verdict } from "@/api/generated/orchestrator";
import { formatCount, plural } from "@/lib/format";
import { ENOUGH, verdictOf } from "./separable";

/** Return the targets with a mean score, the highest first. */
export const rankedOf = (results: readonly TargetResult[]) => results.filter((one) => one.mean_score !== null).toSorted((a, b) => (b.mean_score ?? 0) - (a.mean_score ?? 0));

/** Return the target with the highest mean score; null without scores. */
export const bestOf = (results: readonly TargetResult[]): TargetResult | null => rankedOf(results)[0] ?? null;

/** Return the cheapest of several targets if each answer of each has a price and none came from the cache, where it costs nothing. */
export function cheapestOf(results: readonly TargetResult[]): TargetResult | null {
  if (results.length < 2 || results.some((one) => one.cost_usd === null || one.priced < one.completed || one.cached > 0)) return null;
  return results.toSorted((a, b) => (a.cost_usd ?? 0) - (b.cost_usd ?? 0))[0] ?? null;
}

export interface Certainty {
  answer: string;
  why: string;
  tone: "good" | "warn" | "plain";
  /** A paired comparison could decide what the intervals leave open. */
  compare: boolean;
}

/** Return whether the best target is separable from the others, and why. */
export function certainty(results: readonly TargetResult[]): Certainty {
  if (results.length < 2) return { answer: "One target", why: "There is nothing to compare it with in this run.", tone: "plain", compare: false };
  const verdict = verdictOf(results);
  if (verdict?.overlaps) return { answer: "Not separable", why: `${verdict.text} a pairwise comparison may still decide.`, tone: "warn", compare: true };
  if (verdict) return { answer: "Yes", why: verdict.text, tone: "good", compare: false };
  const thin = results.filter((one) => one.scored < ENOUGH * one.items);
  if (thin.length > 0) return { answer: "Cannot be said", why: `${plural(thin.length, "target")} of ${results.length} ${thin.length === 1 ? "has" : "have"} scores for less than 90% of the items.`, tone: "warn", compare: false };
  return { answer: "Cannot be said", why: "There are too few scores for an interval.", tone: "warn", compare: false };
}

const WORDS: readonly [Verdict, string][] = [["better", "better"], ["not separable", "not separable"], ["worse", "worse"], ["low coverage", "with too few scores"]];

/** Return the certainty from the paired verdicts of the other targets against the best one; `sure` if there are none yet. A comparison may leave out some of the `others`. */
export function pairedCertainty(sure: Certainty, best: string, others: number, verdicts: readonly (Verdict | null)[]): Certainty {
  const counts = WORDS.flatMap(([verdict, words]) => {
    const count = verdicts.filter((one) => one === verdict).length;
    return count > 0 ? [`${formatCount(count)} ${words}`] : [];
  });
  if (counts.length === 0) return sure;
  const worse = verdicts.filter((one) => one === "worse").length;
  const [answer, tone] = worse === others ? (["Yes", "good"] as const) : ([worse > 0 ? "Partly" : "Not separable", "warn"] as const);
  return { answer, why: `Case by case against ${best}: ${counts.join(", ")}.`, tone, compare: true };
}
