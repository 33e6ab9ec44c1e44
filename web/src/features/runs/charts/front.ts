/**
 * Compute the Pareto front: a target is on it when no other is at least as good in both dimensions and better in one.
 */

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

/** Return a scale from 0 to a round figure above the largest value, with at most five ticks. */
export function niceTicks(largest: number): number[] {
  if (!(largest > 0)) return [0, 1];
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10);
  const ticks = [0];
  while ((ticks.at(-1) ?? 0) < largest) ticks.push(ticks.length * step);
  return ticks;
}
