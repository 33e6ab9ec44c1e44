import { expect, test } from "vitest";
import type { TargetResult } from "@/api/generated/orchestrator";
import { noFigures } from "@/testing/samples";
import { verdictOf } from "./separable";

const result = (label: string, mean: number, low: number, high: number): TargetResult => ({
  ...noFigures, target_id: label, label, model: label, mean_score: mean, mean_score_interval: { low, high },
});

test("intervals that overlap are no verdict: cases are to be compared", () => {
  const close = [result("a", 0.8, 0.7, 0.9), result("b", 0.75, 0.6, 0.85)];
  expect(verdictOf(close)).toEqual({ text: "The interval of a overlaps with that of b:", overlaps: true });
  expect(verdictOf([...close, result("c", 0.7, 0.5, 0.8)])?.text).toBe("The interval of a overlaps with those of 2 others:");
});

test("one that stands apart is said to, and one alone is not compared", () => {
  expect(verdictOf([result("b", 0.3, 0.2, 0.4), result("a", 0.8, 0.7, 0.9)])).toEqual({ text: "a scores highest, and its interval overlaps with no other.", overlaps: false });
  expect(verdictOf([result("a", 0.8, 0.7, 0.9)])).toBeNull();
  const few = { ...result("b", 0.3, 0.2, 0.4), items: 100, scored: 89 };
  expect(verdictOf([result("a", 0.8, 0.7, 0.9), few])).toBeNull();
  expect(verdictOf([result("a", 0.8, 0.7, 0.9), { ...few, scored: 90 }])).not.toBeNull();
  expect(verdictOf([result("a", 0.8, 0.7, 0.9), { ...result("b", 0, 0, 0), mean_score: null, mean_score_interval: null }])).toBeNull();
});
