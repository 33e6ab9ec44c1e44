import { expect, test } from "vitest";
import type { RunWarning, TargetResult, Verdict } from "@/api/generated/orchestrator";
import rankings from "@/testing/rankings.json";
import { noFigures } from "@/testing/samples";
import { bestLabels, causesInWords, certainty, cheapestOf, listed, pairedCertainty, selfJudging } from "./glance";

interface Ranked {
  label: string;
  items: number;
  scored: number;
  mean: number | null;
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

const rivals = (verdicts: readonly (Verdict | null)[]) => verdicts.map((verdict, at) => ({ label: `m${at}`, verdict }));

test.each<[string, string, (Verdict | null)[]]>([
  ["Partly", "Case by case against cedar: m1 is worse; m0 and m2 are not separable from it.", ["not separable", "worse", "not separable"]],
  ["Yes", "Case by case against cedar: m0 and m1 are worse.", ["worse", "worse"]],
  ["Not separable", "Case by case against cedar: m1 is not separable from it; m0 shares scores with it in less than 90% of the cases.", ["low coverage", "not separable"]],
  ["No", "Case by case against cedar: m1 is worse; m0 is better.", ["better", "worse"]],
  ["Not separable", "overlaps", [null]],
])("the paired verdicts replace that of the intervals: %s", (answer, why, verdicts) => {
  const overlap = { answer: "Not separable", why: "overlaps", tone: "warn", compare: true } as const;
  expect(pairedCertainty(overlap, "cedar", verdicts.length, rivals(verdicts))).toMatchObject({ answer, why });
});

test("a target that was not compared leaves the best one uncertain", () => {
  const overlap = { answer: "Not separable", why: "overlaps", tone: "warn", compare: true } as const;
  expect(pairedCertainty(overlap, "cedar", 3, rivals(["worse", "worse"])).answer).toBe("Partly");
});

test("no target is the cheapest where answers came from the cache, or have no price", () => {
  const [dear, cheap] = ["dear", "cheap"].map((label, at) => ({ ...result({ label, items: 4, scored: 4, mean: 0.5, interval: null }), completed: 4, priced: 4, cost_usd: 2 - at })) as [TargetResult, TargetResult];
  expect(cheapestOf([dear, cheap])?.label).toBe("cheap");
  expect(cheapestOf([dear, { ...cheap, cached: 1 }])).toBeNull();
  expect(cheapestOf([dear, { ...cheap, priced: 3 }])).toBeNull();
  expect(cheapestOf([dear, { ...cheap, completed: 0, priced: 0 }])).toBeNull();
});

const priced = (label: string, answers: number, usd: number) => ({ ...result({ label, items: 4, scored: answers, mean: 0.5, interval: null }), completed: answers, priced: answers, cost_usd: usd });

test("the cheapest target is that of the lowest cost of an answer, not of the fewest answers", () => {
  expect(cheapestOf([priced("whole", 4, 0.4), priced("half failed", 2, 0.3)])).toEqual({ label: "whole", usd: 0.1 });
  expect(cheapestOf([priced("a", 4, 0.4), priced("b", 2, 0.2)])).toBeNull();
});

const withMean = (label: string, mean: number) => result({ label, items: 4, scored: 4, mean, interval: null });

test("targets that share the highest mean are named together", () => {
  expect(bestLabels([withMean("a", 0.5), withMean("b", 0.7), withMean("c", 0.1 + 0.2 + 0.4)])).toEqual(["c", "b"]);
  expect(bestLabels([])).toEqual([]);
});

test("of many models three are named", () => {
  expect(["a", "a b", "a b c", "a b c d", "a b c d e"].map((names) => listed(names.split(" ")))).toEqual(["a", "a and b", "a, b and c", "a, b, c and 1 other", "a, b, c and 2 others"]);
});

const cause = (word: string, count: number, ...targets: string[]) => ({ key: word, phase: "BENCHMARKING", cause: word, ids: Array.from({ length: count }, (_, at) => `${at}`), targets, messages: [] }) as const;
const causes = [cause("context_overflow", 2, "quartz-3b"), cause("unparsed", 1, "cedar-8b", "lynx-24b"), cause("timed_out", 1, "cedar-8b"), cause("refused", 1, "cedar-8b"), cause("cut", 1, "cedar-8b")]
  .map((one) => ({ ...one, ids: [...one.ids], targets: [...one.targets], messages: [] }));

test("causes are named with their models, three at most", () => {
  expect(causesInWords(causes.slice(0, 2))).toBe("2 context overflow (quartz-3b), 1 unparsed (cedar-8b and lynx-24b)");
  expect(causesInWords(causes)).toBe("2 context overflow (quartz-3b), 1 unparsed (cedar-8b and lynx-24b), 1 timed out (cedar-8b) and 2 more");
  expect(causesInWords([])).toBe("");
});

test("a judge that judges its own answers is named", () => {
  const warnings: RunWarning[] = [{ kind: "cut_answers", message: "Cut." }, { kind: "self_judging", message: "glm (9b) judges its own answers (glm): expect its scores to be too high." }];
  expect(selfJudging(warnings)).toBe("glm (9b) judges its own answers");
  expect(selfJudging(warnings.slice(0, 1))).toBeNull();
});
