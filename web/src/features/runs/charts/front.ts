/**
 * Compute the Pareto front: a target is on it when no other is at least as good in both dimensions and better in one.
 */

import { logTicks, niceTicks } from "@/components/charts/axis";

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
