/** Split the points of a trend into lines, which never join two points across a break. */

import type { TrendPoint, TrendSeries } from "@/api/generated/orchestrator";

export const METRICS = ["score", "pass", "cost", "time", "speed"] as const;
export type Metric = (typeof METRICS)[number];
type Interval = { low: number; high: number };

export const METRIC_LABELS: Record<Metric, string> = { score: "Score", pass: "Pass rate", cost: "Cost per answer", time: "Time per answer", speed: "Tokens per second" };

export const BREAK_LABELS: Record<TrendPoint["breaks"][number], string> = {
  model: "another model",
  prompt: "another prompt",
  parameters: "other parameters",
  cases: "other cases",
  suite: "another version or other tasks of the suite",
  judge: "another judge",
  evaluators: "other evaluators",
};

export interface Shown {
  runId: string;
  at: number;
  value: number;
  interval: Interval | null;
}

export function valueOf(point: TrendPoint, metric: Metric): number | null {
  switch (metric) {
    case "score": return point.mean_score;
    case "pass": return point.pass_rate;
    case "cost": return point.cost_usd === null || point.priced === 0 ? null : point.cost_usd / point.priced;
    case "time": return point.mean_time_ms;
    case "speed": return point.mean_tokens_per_second;
  }
}

export function intervalOf(point: TrendPoint, metric: Metric): Interval | null {
  return metric === "score" ? point.mean_score_interval : metric === "pass" ? point.pass_rate_interval : null;
}

/** Return the lines of a series. A break begins a new line; a run without a value interrupts none. */
export function linesOf(series: TrendSeries, metric: Metric): Shown[][] {
  const lines: Shown[][] = [];
  let isBroken = true;
  for (const point of series.points) {
    isBroken ||= point.breaks.length > 0;
    const value = valueOf(point, metric);
    if (value === null) continue;
    if (isBroken) lines.push([]);
    isBroken = false;
    lines.at(-1)?.push({ runId: point.run_id, at: Date.parse(point.at), value, interval: intervalOf(point, metric) });
  }
  return lines;
}
