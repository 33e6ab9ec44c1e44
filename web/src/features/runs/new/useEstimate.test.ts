import { expect, test } from "vitest";
import type { EvaluatorOut } from "@/api/generated/orchestrator";
import { noFigures, runDetail, target } from "@/testing/samples";
import { formOf } from "./run-form";
import { estimate, type EarlierRun } from "./useEstimate";

const judge: EvaluatorOut = {
  name: "rubric", title: "Rubric", weight: 1, required: true, pass_threshold: null, params: {}, targets: [], verdicts: 9, pass_rate: 1, pass_rate_interval: null,
  length_baseline: { spearman: null, answers: 9, undefined_because: null },
  revision_id: "r", kind: "rubric", judge_provider_id: "p", judge_model: "judge-1", schema_name: "verdict", schema_version: "1", prompt_hash: "h", scale_min: 0, scale_max: 10,
  whole: true, primary: true, member: false, panel: null, agreement: null, asked: 12, scored: 9, unparsed: 1, refused: 0, errored: 0, pending: 2, mean_score: null, mean_score_interval: null, cost_usd: 0.5,
};
const run = runDetail({
  evaluators: [judge],
  results: [{ ...noFigures, target_id: target.id, label: target.label, model: target.model, items: 10, timed: 10, mean_time_ms: 2000, priced: 10, cost_usd: 0.2 }],
});
const earlier: EarlierRun = { run, judges: [{ provider_id: "p", model: "judge-1", calls: 10, mean_time_ms: 500 }] };

test("answers and verdicts are counted, each by what it took before", () => {
  const found = estimate(formOf(run), 100, [earlier]);
  expect(found.answers).toEqual({ seconds: 200, usd: 2 });
  expect(found.judging).toEqual({ seconds: 50, usd: 5 });
  expect([found.known, found.models]).toEqual([1, 1]);
});

test("what runs at the same time takes less time, and costs the same", () => {
  const form = formOf(run);
  const found = estimate({ ...form, limits: { ...form.limits, concurrency: 4 } }, 100, [earlier]);
  expect(found.answers).toEqual({ seconds: 50, usd: 2 });
  expect(found.judging).toEqual({ seconds: 12.5, usd: 5 });
});

test("another judge is unknown, and so is a model that never ran", () => {
  const form = formOf(run);
  const found = estimate({ ...form, judge: { ...form.judge, model: "another" }, targets: form.targets.map((one) => ({ ...one, model: "new" })) }, 100, [earlier]);
  expect([found.answers, found.judging]).toEqual([{ seconds: null, usd: null }, { seconds: null, usd: null }]);
  expect(found.known).toBe(0);
});
