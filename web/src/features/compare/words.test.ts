import { expect, test } from "vitest";
import type { ColumnComparison, ScoreComparison } from "@/api/generated/orchestrator";
import { coveredWords } from "@/lib/covered-words";
import { column, compared, comparison, RUN_B, scored, TARGET_B } from "@/testing/comparison-samples";
import { casesSentence } from "./verdict-sentences";
import { formatDelta, formatPoints, formatRatio, countWords, passParts, passWords, verdictLook, verdictWords, zeroWords } from "./words";

const words = (score: Partial<ScoreComparison>, over: Partial<ColumnComparison> = {}) => verdictWords(compared({ score: scored(score), ...over }));

test("a verdict says how much, and how sure one can be", () => {
  expect(words({ verdict: "better", mean: 0.08, interval: { low: 0.03, high: 0.13 } })).toBe("Better by 8.0 points, +3.0 to +13.0.");
  expect(words({ verdict: "worse", mean: -0.08, interval: { low: -0.13, high: -0.03 } })).toBe("Worse by 8.0 points, −13.0 to −3.0.");
  expect(words({ verdict: "better", mean: 0.1, interval: null })).toBe("Better by 10.0 points.");
});

test("what is not separable says why, and what would help", () => {
  const unsure = { verdict: "not separable", mean: 0.02, interval: { low: -0.03, high: 0.07 }, cases: 40 } as const;
  expect(words({ ...unsure, clusters_needed: 314 })).toBe("+2.0 points (−3.0 to +7.0) may be chance: 40 cases are too few, about 314 would tell.");
  expect(words({ ...unsure, clusters_needed: 900_000 })).toContain("cannot be distinguished from none");
  expect(words({ ...unsure, mean: 0, clusters_needed: null })).toContain("better and worse cancel out over 40 cases");
  expect(words({ ...unsure, cases: 1, clusters: 1, better: 1, worse: 0, equal: 0, mean: 0.5, clusters_needed: null })).toBe("+50.0 points (−3.0 to +7.0) may be chance: 1 case is too few.");
  expect(words({ ...unsure, clusters_needed: null })).toContain("cannot be distinguished from none");
  expect(words({ cases: 40, better: 0, worse: 0, equal: 40, mean: 0, verdict: "not separable" })).toBe("All 40 compared cases score the same.");
  expect(words({ cases: 0, mean: null, interval: null })).toBe("No case is scored in both.");
  expect(verdictWords(compared({ score: null, note: "Two judges." }))).toBe("Two judges.");
  expect(verdictLook(compared({ score: null })).label).toBe("Not comparable");
  expect(words({ ...unsure, cases: 200, clusters: 20, clusters_needed: 314 })).toContain("20 clusters are too few");
});

test("a run that goes on, and one that lost its answers, have no verdict", () => {
  const going = compared({ score: scored({ verdict: null, interval: null }), withheld: "'Today' is running." });
  expect([verdictLook(going).label, verdictWords(going)]).toEqual(["Not over", "'Today' is running."]);
  const lost = compared({ score: scored({ verdict: "low coverage", cases: 20 }), coverage: 0.2, cases_in_both: 100 });
  expect([verdictLook(lost).label, verdictWords(lost)]).toEqual(["Low coverage", "Only 20 of the 100 cases that both have are scored in both, and 90% are needed: the other cases may be the ones that differ."]);
  expect(verdictWords({ ...lost, least_covered: "sums" })).toBe("Only 20% of the cases of the task “sums” that both have are scored in both, and 90% are needed: the other cases may be the ones that differ.");
  const near = { coverage: 43 / 48, cases_in_both: 48, least_covered: null };
  expect([near, { ...near, least_covered: "sums" }, { ...near, pairs: 3 }].map(coveredWords)).toEqual(["43 of the 48 cases", "89% of the cases of the task “sums”", "89% of the cases of one pair of targets"]);
  expect(zeroWords(compared())).toBeNull();
  expect(zeroWords(compared({ zeros: 2, baseline_zeros: 1 }))).toBe("Refused or malformed answers count as 0: 2 here, 1 of the baseline’s.");
});

test("pass and fail, differences and ratios", () => {
  const passes = { cases: 20, gained: 1, lost: 3, rate_difference: -0.1, interval: null, simultaneous: null, verdict: "not separable" } as const;
  expect(passParts(passes, comparison(), 1)).toEqual({ moved: [{ show: "gained", words: "1 now passes" }, { show: "lost", words: "3 no longer pass" }], end: " (may be chance)." });
  expect(passParts({ ...passes, gained: 0, lost: 0 }, comparison(), 1)).toEqual({ moved: [], end: "The same cases pass." });
  expect(passParts({ ...passes, cases: 0 }, comparison(), 1).end).toBe("No case was passed or failed in both.");
  expect(formatPoints(-0.004)).toBe("−0.4");
  expect(formatDelta(0.2, { scale_min: 0, scale_max: 10 })).toBe("+2");
  expect(formatDelta(-0.25, { scale_min: 1, scale_max: 5 })).toBe("−1");
  expect([formatRatio(3, 2), formatRatio(1, 0), formatRatio(null, 2)]).toEqual(["1.5 ×", null, null]);
});

test("numbers of several columns say what they count, as they can add up to more than the cases", () => {
  expect(countWords(3, null)).toContain("in at least one column");
  expect([countWords(2, null), countWords(3, 1)]).toEqual([null, null]);
});

test("models of one run are side by side: nothing changed between them", () => {
  const passes = { cases: 20, gained: 1, lost: 3, rate_difference: -0.1, interval: null, simultaneous: null, verdict: "worse" } as const;
  const models = comparison({ columns: [column(), column({ target_id: TARGET_B }), column({ target_id: RUN_B })] });
  expect(passParts(passes, models, 1)).toEqual({ moved: [{ show: "gained", words: "1 passes only with B" }, { show: "lost", words: "3 pass only with A" }], end: "." });
  expect(passWords({ ...models, baseline: 2 }, 0, "pass")).toEqual({ gained: "pass only with A", lost: "pass only with C" });
  expect(passWords(models, null, "pass")).toEqual({ gained: "pass with another, not with A", lost: "pass with A, not with another" });
  expect(casesSentence(models, compared({ missing: 0 }))).toBe("Of 40 compared cases, 12 are better, 5 worse, and 23 equal.");
  // One column of another run is enough: between the runs, time has passed.
  const mixed = comparison({ columns: [column(), column({ target_id: TARGET_B }), column({ run_id: RUN_B })] });
  expect(passWords(mixed, null, "pass")).toEqual({ gained: "now pass", lost: "no longer pass" });
  expect(passWords(mixed, 1, "passes").lost).toBe("passes only with A");
});
