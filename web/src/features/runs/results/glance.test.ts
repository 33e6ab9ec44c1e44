import { expect, test } from "vitest";
import type { TargetResult } from "@/api/generated/orchestrator";
import rankings from "@/testing/rankings.json";
import { noFigures } from "@/testing/samples";
import { certainty } from "./glance";

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
