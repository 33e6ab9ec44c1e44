import { expect, test } from "vitest";
import type { TrendPoint } from "@/api/generated/orchestrator";
import { linesOf, valueOf } from "./trend-lines";

const point = (run: number, over: Partial<TrendPoint> = {}): TrendPoint => ({
  run_id: String(run), at: `2026-01-0${run}T00:00:00.000Z`, model: "m", items: 4, completed: 4, failed: 0, scored: 4, mean_score: run / 10, mean_score_interval: { low: 0, high: 1 },
  pass_rate: null, pass_rate_interval: null, priced: 4, cost_usd: 0.8, mean_time_ms: 10, mean_tokens_per_second: null, breaks: [], completeness: null, ...over,
});
const runs = (points: TrendPoint[]) => linesOf({ label: "m", points }, "score").map((line) => line.map((one) => one.runId));

test("a break begins a new line, also when its own run has no score", () => {
  expect(runs([point(1), point(2), point(3, { breaks: ["judge"] }), point(4)])).toEqual([["1", "2"], ["3", "4"]]);
  expect(runs([point(1), point(2, { breaks: ["cases"], mean_score: null }), point(3)])).toEqual([["1"], ["3"]]);
  expect(runs([point(1), point(2, { mean_score: null }), point(3)])).toEqual([["1", "3"]]);
});

test("the cost is that of one priced answer, and unknown without a price", () => {
  expect(valueOf(point(1), "cost")).toBeCloseTo(0.2);
  expect(valueOf(point(1, { priced: 0, cost_usd: null }), "cost")).toBeNull();
});
