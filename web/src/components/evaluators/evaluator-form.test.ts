import { expect, test } from "vitest";
import { evaluatorOut, runDetail } from "@/testing/samples";
import { evaluatorsOf, missingIn, newEvaluator, toInputs, usualEvaluators } from "./evaluator-form";

const exact = newEvaluator({ kind: "exact_match", title: "Exact match", needs_judge: false }, "e");

test("the rubric alone is not said, anything else is", () => {
  expect(toInputs(usualEvaluators())).toBeNull();
  expect(toInputs([exact])).toEqual([{ kind: "exact_match" }]);
  const [rubric] = usualEvaluators();
  expect(toInputs([{ ...rubric!, weight: 2 }])).toEqual([{ kind: "rubric", weight: 2 }]);
});

test("what is set is sent, a judge only of one that asks", () => {
  const judge = { providerId: "p", model: "m" };
  expect(toInputs([{ ...exact, name: " strict ", params: { ignore_case: true }, weight: 0, required: false, passThreshold: 1, judge }])).toEqual([
    { kind: "exact_match", name: "strict", params: { ignore_case: true }, weight: 0, required: false, pass_threshold: 1 },
  ]);
  expect(toInputs([{ ...usualEvaluators()[0]!, judge }])).toEqual([{ kind: "rubric", judge: { provider_id: "p", model: "m" } }]);
});

test("an earlier run's evaluators are those that speak for it, with what was set", () => {
  const run = runDetail({
    evaluators: [
      evaluatorOut({ revision_id: "1" }),
      evaluatorOut({ revision_id: "2", primary: false, judge_model: "another" }),
      evaluatorOut({ revision_id: "3", kind: "contains", name: "has it", title: "Contains", params: { texts: ["x"] }, weight: 0, judge_provider_id: null, judge_model: null }),
      evaluatorOut({ revision_id: "4", kind: "pairwise", name: "pairwise", title: "Pairwise", judge_provider_id: "q", judge_model: "own" }),
    ],
  });
  expect(toInputs(evaluatorsOf(run))).toEqual([
    { kind: "rubric" },
    { kind: "contains", name: "has it", params: { texts: ["x"] }, weight: 0 },
    { kind: "pairwise", judge: { provider_id: "q", model: "own" } },
  ]);
});

test("limits to some cases are sent, and a clone keeps them", () => {
  const only = { category: "sums", metadata: { tags: ["hard"] } };
  const unless = { checks: [{}] };
  const run = runDetail({ evaluators: [evaluatorOut({ only, unless })] });
  expect(toInputs(evaluatorsOf(run))).toEqual([{ kind: "rubric", only, unless }]);
  const broken = { ...exact, only: { ...exact.only, rest: "{" } };
  expect(missingIn([broken])["evaluators.0.only"]).toMatch(/object in JSON/);
});
