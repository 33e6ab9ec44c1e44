/** The statements of the first screen after a run about its targets. */

import type { RunWarning, TargetResult, Verdict } from "@/api/generated/orchestrator";
import { formatCount, plural } from "@/lib/format";
import type { Cause } from "../failures/causes";
import { failureLabel } from "../run-words";
import { thinOf, verdictOf, withoutInterval } from "./separable";

/** Return the targets with a mean score, the highest first. */
export const rankedOf = (results: readonly TargetResult[]) => results.filter((one) => one.mean_score !== null).toSorted((a, b) => (b.mean_score ?? 0) - (a.mean_score ?? 0));

/** Return the target with the highest mean score; null without scores. */
export const bestOf = (results: readonly TargetResult[]): TargetResult | null => rankedOf(results)[0] ?? null;

/** Return the labels of the targets that share the highest mean score. Means that differ by rounding errors are equal. */
export function bestLabels(results: readonly TargetResult[]): string[] {
  const ranked = rankedOf(results);
  return ranked.filter((one) => (ranked[0]?.mean_score ?? 0) - (one.mean_score ?? 0) < 1e-9).map((one) => one.label);
}

/** A target, and the mean cost of its answers. */
export interface Cheapest {
  label: string;
  usd: number;
}

/**
 * Return the target whose answers cost least; null if several share the lowest cost.
 * It is also null if an answer has no price, or came from the cache, where it costs nothing.
 * A sum would be lowest for the target that failed most, or that was asked least often.
 */
export function cheapestOf(results: readonly TargetResult[]): Cheapest | null {
  if (results.length < 2 || results.some((one) => one.cost_usd === null || one.priced === 0 || one.priced < one.completed || one.cached > 0)) return null;
  const [first, second] = results.map((one) => ({ label: one.label, usd: (one.cost_usd ?? 0) / one.priced })).toSorted((a, b) => a.usd - b.usd);
  return first && second && second.usd - first.usd > 1e-9 * second.usd ? first : null;
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
  const thin = thinOf(results);
  if (thin.length > 0) return unsaid(`${plural(thin.length, "target")} of ${results.length} ${thin.length === 1 ? "has" : "have"} scores for less than 90% of the items.`);
  const known = rankedOf(results);
  if (known.length < 2) return unsaid("Fewer than two targets have scores.");
  const [first, ...more] = withoutInterval(known);
  const words = more.length === 0 ? `${first?.label} has no interval, because its` : `${more.length + 1} targets of ${known.length} have no interval, because their`;
  return { ...unsaid(`${words} scores are all the same, or of one cluster: a pairwise comparison may still decide.`), compare: true };
}

const unsaid = (why: string): Certainty => ({ answer: "Cannot be said", why, tone: "warn", compare: false });

/** The predicate of a verdict: for one model, for several. */
const WORDS: readonly [Verdict, string, string][] = [
  ["worse", "is worse", "are worse"],
  ["not separable", "is not separable from it", "are not separable from it"],
  ["better", "is better", "are better"],
  ["low coverage", "shares scores with it in less than 90% of the cases", "share scores with it in less than 90% of the cases"],
];

const MOST_NAMES = 3;

/** Return `a`, `a and b`, `a, b and c` or `a, b, c and 4 others`. */
export function listed(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  const parts = rest > 0 ? [...names.slice(0, MOST_NAMES), plural(rest, "other")] : names;
  return [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((one) => one !== "").join(" and ");
}

/** A target other than the best one, and how it compares with that. */
export interface Rival {
  label: string;
  verdict: Verdict | null;
}

/** Return the certainty from the paired verdicts of the other targets against the best one; `sure` if there are none yet. A comparison may leave out some of the `others`. */
export function pairedCertainty(sure: Certainty, best: string, others: number, rivals: readonly Rival[]): Certainty {
  const parts = WORDS.flatMap(([verdict, one, several]) => {
    const labels = rivals.filter((rival) => rival.verdict === verdict).map((rival) => rival.label);
    return labels.length > 0 ? [`${listed(labels)} ${labels.length === 1 ? one : several}`] : [];
  });
  if (parts.length === 0) return sure;
  const worse = rivals.filter((rival) => rival.verdict === "worse").length;
  // The best mean leaves refused answers out, which count as 0 case by case: another target may be better there.
  const beaten = rivals.some((rival) => rival.verdict === "better");
  const [answer, tone] = worse === others ? (["Yes", "good"] as const) : ([beaten ? "No" : worse > 0 ? "Partly" : "Not separable", "warn"] as const);
  return { answer, why: `Case by case against ${best}: ${parts.join("; ")}.`, tone, compare: true };
}

const MOST_CAUSES = 3;

/** Return `2 context overflow (quartz-3b), 1 unparsed (cedar-8b) and 3 more`; empty if no cause is known. */
export function causesInWords(causes: readonly Cause[]): string {
  const rest = causes.slice(MOST_CAUSES).reduce((sum, one) => sum + one.ids.length, 0);
  const named = causes.slice(0, MOST_CAUSES).map(({ cause, ids, targets }) => `${formatCount(ids.length)} ${failureLabel(cause)} (${listed(targets)})`);
  return `${named.join(", ")}${rest > 0 ? ` and ${formatCount(rest)} more` : ""}`;
}

const OWN = " judges its own answers";

/** Return `judge-1 judges its own answers`; null if no judge does. */
export function selfJudging(warnings: readonly RunWarning[]): string | null {
  const own = warnings.find((one) => one.kind === "self_judging");
  if (!own) return null;
  const end = own.message.indexOf(OWN);
  return `${end > 0 ? own.message.slice(0, end) : "A judge"}${OWN}`;
}
