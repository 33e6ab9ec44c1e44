import { expect, test } from "vitest";
import { evaluatorOut, runDetail } from "@/testing/samples";
import { chosenFilters } from "./chosen-filters";
import { readItemFilter } from "./item-filter";

test("every filter that a link can set is named, and names what takes it away", () => {
  const run = runDetail({ evaluators: [evaluatorOut()] });
  const target = run.targets[0];
  const link = new URLSearchParams({
    target_id: target?.id ?? "", model: "m", category: "sums", tag: "hard", task_id: "t", suite_task: "sums", conversation_id: "c", overall_min: "0.15", overall_below: "0.25", time_min: "20", time_below: "1500", score_min: "1", score_max: "2",
    passed: "false", failure_kind: "timed_out", failure_phase: "JUDGING", cached: "true", cut: "false", finish_reason: "stop", answer_kind: "reasoning",
  });
  const chosen = chosenFilters(run, readItemFilter(link));
  expect(new Set(chosen.flatMap((one) => one.names))).toEqual(new Set(link.keys()));
  expect(chosen[0]?.label).toBe(`Target: ${target?.label}`);
  expect(chosen.map((one) => one.label)).toContain("Score: 1.5 to 2.5");
  expect(chosen.map((one) => one.label.replaceAll("\u00a0", " "))).toContain("Time: from 20 ms and below 1.50 s");
});

test("without a filter there is nothing to take away", () => {
  expect(chosenFilters(runDetail(), readItemFilter(new URLSearchParams()))).toEqual([]);
});
