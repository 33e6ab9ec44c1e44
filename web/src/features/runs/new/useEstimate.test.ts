// @vitest-environment jsdom
import { expect, test } from "vitest";
import { evaluatorOut, noFigures, runDetail, target } from "@/testing/samples";
import { formOf } from "./run-form";
import { estimate, type EarlierRun } from "./useEstimate";

const run = runDetail({
  evaluators: [evaluatorOut()],
  results: [{ ...noFigures, target_id: target.id, label: target.label, model: target.model, items: 10, timed: 10, mean_time_ms: 2000, priced: 10, cost_usd: 0.2, passes: [] }],
});
const earlier: EarlierRun = { run, judges: [{ provider_id: "p", model: "judge-1", calls: 10, mean_time_ms: 500 }] };

test("answers and verdicts are counted, each by what it took before", () => {
  const result = estimate(formOf(run), 100, [earlier]);
  expect(result.answers).toEqual({ seconds: 200, usd: 2 });
  expect(result.judging).toEqual({ seconds: 50, usd: 5 });
  expect([result.known, result.models]).toEqual([1, 1]);
});

test("what runs at the same time takes less time, and costs the same", () => {
  const form = formOf(run);
  const result = estimate({ ...form, limits: { ...form.limits, concurrency: 4 } }, 100, [earlier]);
  expect(result.answers).toEqual({ seconds: 50, usd: 2 });
  expect(result.judging).toEqual({ seconds: 12.5, usd: 5 });
});

test("another judge is unknown, and so is a model that never ran", () => {
  const form = formOf(run);
  const result = estimate({ ...form, judge: { ...form.judge, model: "another" }, targets: form.targets.map((one) => ({ ...one, model: "new" })) }, 100, [earlier]);
  expect([result.answers, result.judging]).toEqual([{ seconds: null, usd: null }, { seconds: null, usd: null }]);
  expect(result.known).toBe(0);
});
