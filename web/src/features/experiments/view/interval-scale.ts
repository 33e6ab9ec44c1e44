/** The points of the chart in which the interval of a difference narrows over the looks. */

import type { LookOut, RoundOut } from "@/api/generated/orchestrator";

export interface IntervalPoint {
  number: number;
  round: number | null;
  /** The clusters that were used. */
  done: number;
  expected: number | null;
  low: number | null;
  high: number | null;
  state: string;
  probability: number | null;
}

/** Return one treatment's points, the oldest first. */
export function pointsOf(looks: readonly LookOut[], variantId: string): IntervalPoint[] {
  return looks.flatMap(({ number, round, done, analysis }) => {
    const one = analysis.comparisons.find((comparison) => comparison.variant_id === variantId);
    if (!one) return [];
    return { number, round, done, expected: one.expected, low: one.interval?.[0] ?? null, high: one.interval?.[1] ?? null, state: one.state, probability: one.probability_of_improvement };
  });
}

/** Return the address of the items of each round that has a run, by the round's number. A later attempt replaces an earlier one. */
export const itemsOfRounds = (rounds: readonly RoundOut[]): ReadonlyMap<number, string> =>
  new Map(rounds.toSorted((a, b) => a.attempt - b.attempt).flatMap((one) => (one.run_id === null ? [] : [[one.number, `/runs/${one.run_id}/items`] as const])));

/** The chart shows at most this many planned effects: the first intervals are often as wide as the scale. */
const MOST_EFFECTS = 6;

/** Return the range of the vertical axis: it contains 0, the planned effect on both sides, and the later intervals. */
export function rangeOf(points: readonly IntervalPoint[], effect: number): { low: number; high: number } {
  const later = points.slice(Math.floor(points.length / 2));
  const ends = later.flatMap((one) => [one.low, one.high, one.expected]).filter((one) => one !== null);
  const most = Math.max(2 * effect, ...points.map((one) => Math.abs(one.expected ?? 0)), ...ends.map(Math.abs));
  const half = Math.min(most, Math.max(MOST_EFFECTS * effect, ...points.map((one) => Math.abs(one.expected ?? 0)))) * 1.1;
  return { low: -half, high: half };
}

/** Return round values for the axis, 0 among them. */
export function ticksOf({ high }: { high: number }): number[] {
  const rough = high / 2;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [5, 2, 1].map((one) => one * power).find((one) => one <= rough) ?? power;
  const most = Math.floor(high / step);
  return Array.from({ length: 2 * most + 1 }, (_, index) => (index - most) * step);
}
