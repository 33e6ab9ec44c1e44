import { expect, test } from "vitest";
import type { ColumnComparison, ScoreComparison } from "@/api/generated/orchestrator";
import { compared, scored } from "@/testing/comparison-samples";
import { formatDelta, formatP, formatPoints, formatRatio, passWords, verdictLook, verdictWords } from "./words";

const words = (score: Partial<ScoreComparison>, over: Partial<ColumnComparison> = {}) => verdictWords(compared({ score: scored(score), ...over }));

test("a verdict says how much, and how sure one can be", () => {
  expect(words({ verdict: "better", mean: 0.08, interval: { low: 0.03, high: 0.13 } })).toBe("Better by 8.0 points, +3.0 to +13.0.");
  expect(words({ verdict: "worse", mean: -0.08, interval: { low: -0.13, high: -0.03 } })).toBe("Worse by 8.0 points, −13.0 to −3.0.");
  expect(words({ verdict: "better", mean: 0.1, interval: null })).toBe("Better by 10.0 points.");
});

test("what is not separable says why, and what would help", () => {
  const unsure = { verdict: "not separable", mean: 0.02, interval: { low: -0.03, high: 0.07 }, cases: 40 } as const;
  expect(words({ ...unsure, cases_needed: 314 })).toBe("+2.0 points (−3.0 to +7.0) may be chance: 40 cases are too few for a difference this small, about 320 would tell.");
  expect(words({ ...unsure, cases_needed: 900_000 })).toContain("cannot be told from none");
  expect(words({ ...unsure, mean: 0, cases_needed: null })).toContain("better and worse cancel out over 40 cases");
  expect(words({ cases: 40, better: 0, worse: 0, equal: 40, mean: 0 })).toBe("All 40 shared cases score the same.");
  expect(words({ cases: 0, mean: null, interval: null })).toBe("No case is scored in both.");
  expect(verdictWords(compared({ score: null, note: "Two judges." }))).toBe("Two judges.");
  expect(verdictLook(compared({ score: null })).label).toBe("Not comparable");
});

test("pass and fail, differences and ratios", () => {
  const passes = { cases: 20, gained: 1, lost: 3, rate_difference: -0.1, p: 0.6, p_adjusted: 0.6, verdict: "not separable" } as const;
  expect(passWords(passes)).toBe("1 now passes, 3 no longer pass (may be chance).");
  expect(passWords({ ...passes, gained: 0, lost: 0 })).toBe("The same cases pass.");
  expect(formatPoints(-0.004)).toBe("−0.4");
  expect(formatDelta(0.2, { scale_min: 0, scale_max: 10 })).toBe("+2");
  expect(formatDelta(-0.25, { scale_min: 1, scale_max: 5 })).toBe("−1");
  expect(formatP(0)).toBe("< 0.001");
  expect([formatRatio(3, 2), formatRatio(1, 0), formatRatio(null, 2)]).toEqual(["1.5 ×", null, null]);
});
