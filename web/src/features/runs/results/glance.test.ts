import { expect, test } from "vitest";
import type { TargetResult, Verdict } from "@/api/generated/orchestrator";
import rankings from "@/testing/rankings.json";
import { noFigures } from "@/testing/samples";
import { certainty, cheapestOf, pairedCertainty } from "./glance";

interface Ranked {
  label: string;
  items: number;
  scored: number;
  mean: number;
  interval: number[] | null;
}

const result = ({ label, items, scored, mean, interval }: Ranked): TargetResult => ({
  ...noFigures, target_id: label, label, model: label, items, scored, mean_score: mean, mean_score_interval: interval && { low: interval[0] ?? 0, high: interval[1] ?? 0 }, passes: [],
});

test.each(rankings)("the page and the report say alike: $sentence", ({ targets, answer, sentence }) => {
  const sure = certainty(targets.map(result));
  expect(sure.answer).toBe(answer);
  // The page has the answer above its reason; the report has one sentence.
  const said = answer === "Yes" ? sure.why : `${sure.answer}: ${sure.why}`.replace(/:( a pairwise)/, ".$1");
  expect(said.toLowerCase()).toBe(sentence.toLowerCase());
});

test.each<[string, string, (Verdict | null)[]]>([
  ["Partly", "Case by case against cedar: 2 not separable, 1 worse.", ["not separable", "worse", "not separable"]],
  ["Yes", "Case by case against cedar: 2 worse.", ["worse", "worse"]],
  ["Not separable", "Case by case against cedar: 1 not separable, 1 with too few scores.", ["low coverage", "not separable"]],
  ["Not separable", "overlaps", [null]],
])("the paired verdicts replace that of the intervals: %s", (answer, why, verdicts) => {
  const overlap = { answer: "Not separable", why: "overlaps", tone: "warn", compare: true } as const;
  expect(pairedCertainty(overlap, "cedar", verdicts.length, verdicts)).toMatchObject({ answer, why });
});

test("a target that was not compared leaves the best one uncertain", () => {
  const overlap = { answer: "Not separable", why: "overlaps", tone: "warn", compare: true } as const;
  expect(pairedCertainty(overlap, "cedar", 3, ["worse", "worse"]).answer).toBe("Partly");
});

test("no target is the cheapest where answers came from the cache, or have no price", () => {
  const [dear, cheap] = ["dear", "cheap"].map((label, at) => ({ ...result({ label, items: 4, scored: 4, mean: 0.5, interval: null }), completed: 4, priced: 4, cost_usd: 2 - at })) as [TargetResult, TargetResult];
  expect(cheapestOf([dear, cheap])?.label).toBe("cheap");
  expect(cheapestOf([dear, { ...cheap, cached: 1 }])).toBeNull();
  expect(cheapestOf([dear, { ...cheap, priced: 3 }])).toBeNull();
});
