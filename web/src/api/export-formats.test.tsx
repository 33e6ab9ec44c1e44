import { expect, test } from "vitest";
import { evaluatorOut, runDetail } from "@/testing/samples";
import { EXPORT_FORMATS } from "@/testing/server";
import { exportFormatsOf } from "./results";

const names = (run: Parameters<typeof exportFormatsOf>[1], filter = {}) => exportFormatsOf(EXPORT_FORMATS.items, run, filter).map(({ name }) => name);

test("a report of one target is offered where a single target is chosen", () => {
  const run = runDetail();
  const target = run.targets[0]!;
  const [one, two] = [{ ...run, targets: [target] }, { ...run, targets: [target, { ...target, id: "another" }] }];
  expect(names(one)).toEqual(["csv", "jsonl", "regression-report"]);
  expect(names(two)).toEqual(["csv", "jsonl"]);
  expect(names(two, { targetId: [target.id] })).toEqual(["csv", "jsonl", "regression-report"]);
});

test("cases of a dataset are offered for a run with the evaluator that writes them", () => {
  const evaluators = [evaluatorOut({ kind: "grounded_questions" })];
  expect(names({ ...runDetail(), evaluators })).toContain("test-cases");
});
