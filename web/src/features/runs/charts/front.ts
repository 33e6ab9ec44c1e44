/**
 * Compute the Pareto front: a target is on it when no other is at least as good in both dimensions and better in one.
 */

import { niceTicks } from "@/components/charts/axis";

export interface Point {
  id: string;
  label: string;
  /** Dollars or milliseconds per answer; less is better. */
  x: number;
  /** The mean score from 0 to 1; more is better. */
  y: number;
  interval: { low: number; high: number } | null;
}

/** The front's points, from the cheapest or fastest to the best. */
export function paretoFront(points: readonly Point[]): Point[] {
  const front: Point[] = [];
  for (const point of points.toSorted((a, b) => a.x - b.x || b.y - a.y)) {
    const last = front.at(-1);
    if (last === undefined || point.y > last.y || (point.y === last.y && point.x === last.x)) front.push(point);
  }
  return front;
}

/** Times that differ by more than this factor are drawn on a logarithmic axis. */
const LOG_FROM = 20;

export interface PlaneAxis {
  ticks: number[];
  isLog: boolean;
  /** Return the place of a value on the axis, from 0 to 1. */
  place: (value: number) => number;
}

/** Return the axis for the values: from 0, or logarithmic if they are above 0 and their ratio is at least `logFrom`. */
export function axisOf(values: readonly number[], logFrom = LOG_FROM): PlaneAxis {
  const [least, largest] = [Math.min(...values), Math.max(...values)];
  if (least > 0 && largest / least >= logFrom) {
    const ticks = logTicks(least, largest);
    const [from, to] = [Math.log10(ticks[0] ?? least), Math.log10(ticks.at(-1) ?? largest)];
    return { ticks, isLog: true, place: (value) => (Math.log10(value) - from) / (to - from) };
  }
  const ticks = niceTicks(largest);
  return { ticks, isLog: false, place: (value) => value / (ticks.at(-1) ?? 1) };
}

/** A logarithmic axis over fewer powers of ten than this also has ticks at 2 and 5 times a power. */
const FEW_POWERS = 2;

/** Return round values from at most the least value to at least the largest, a constant factor or so apart. */
function logTicks(least: number, largest: number): number[] {
  const steps = Math.log10(largest / least) < FEW_POWERS ? [1, 2, 5] : [1];
  const power = Math.floor(Math.log10(least));
  const all = Array.from({ length: Math.ceil(Math.log10(largest)) - power + 2 }, (_, index) => steps.map((step) => Number((step * 10 ** (power + index)).toPrecision(3)))).flat();
  const first = all.findLastIndex((tick) => tick <= least * (1 + 1e-9));
  const last = all.findIndex((tick, index) => index > first && tick >= largest * (1 - 1e-9));
  return all.slice(Math.max(0, first), last + 1);
}
