import { expect, test } from "vitest";
import { gateOut } from "@/testing/comparison-samples";
import { amount, gateWords } from "./gate-words";

const [pair] = gateOut().pairs;
const words = (over: Partial<NonNullable<typeof pair>>, gate = gateOut()) => gateWords(gate, { ...pair!, ...over });

test("each state is a sentence with its interval", () => {
  expect(words({ state: "worse", mean: -0.08, interval: { low: -0.12, high: -0.05 } })).toBe("The mean score changed by −8.0 points (90% two-sided: −12.0 to −5.0): a loss of 3 points or more is certain.");
  expect(words({ state: "undecided", lower_than_baseline: true })).toContain("neither ruled out nor certain. It is lower than the baseline for certain.");
  expect(words({ state: "low coverage", coverage: 0.2, shared_cases: 100, sentence: "Only 4 of the 20 cases of the task 'sums'." })).toBe("Only 4 of the 20 cases of the task 'sums'.");
  expect(words({ state: "fine", interval: null })).toContain("90% two-sided: not known");
});

test("cost and latency are in percent, and more is worse", () => {
  const cost = gateOut({ title: "cost", metric: "cost", relative: true, lower_is_better: true, margin: 0.1 });
  expect(words({ state: "worse", mean: 0.5, interval: { low: 0.4, high: 0.6 } }, cost)).toBe("The cost changed by +50.0% (90% two-sided: +40.0 to +60.0): a rise of 10% or more is certain.");
  expect(words({ state: "undecided", lower_than_baseline: true }, cost)).toContain("It is higher than the baseline for certain.");
  expect([amount(cost, 0.1), amount(gateOut(), 0.01), amount(gateOut(), 0.05)]).toEqual(["10%", "1 point", "5 points"]);
});
