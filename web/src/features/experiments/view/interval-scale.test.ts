import { expect, test } from "vitest";
import { comparisonOut, analysisOut, experimentOut, lookOut, roundOut } from "@/testing/experiment-samples";
import { savingsOf } from "../experiment-words";
import { itemsOfRounds, pointsOf, rangeOf, ticksOf } from "./interval-scale";

const look = (number: number, interval: [number | null, number | null] | null) => lookOut(number, { analysis: analysisOut({ comparisons: [comparisonOut({ interval, expected: interval === null ? null : 0.05 })] }) });

test("a look without figures is a point without an interval", () => {
  expect(pointsOf([look(1, null), look(2, [-0.1, 0.2])], "treatment").map((one) => [one.done, one.low, one.high])).toEqual([[20, null, null], [40, -0.1, 0.2]]);
  expect(pointsOf([look(1, null)], "control")).toEqual([]);
});

test("a round's items are those of its last attempt", () => {
  const rounds = [roundOut(2, { attempt: 2, run_id: "again" }), roundOut(1), roundOut(2, { status: "FAILED" }), roundOut(3, { run_id: null })];
  expect([...itemsOfRounds(rounds)]).toEqual([[1, "/runs/run-1/items"], [2, "/runs/again/items"]]);
});

test("the range shows the wanted effect and is not blown up by the first intervals", () => {
  const points = pointsOf([look(1, [-1, 1]), look(2, [-0.2, 0.3]), look(3, [0.01, 0.1])], "treatment");
  const range = rangeOf(points, 0.05);
  expect(range.high).toBeGreaterThan(0.05);
  expect(range.high).toBeLessThan(0.5);
  expect(range.low).toBe(-range.high);
});

test("the axis has 0 and round values within the range", () => {
  for (const high of [0.004, 0.11, 0.33, 1.1, 7]) {
    const ticks = ticksOf({ high });
    expect(ticks).toContain(0);
    expect(Math.max(...ticks)).toBeLessThanOrEqual(high);
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.length).toBeLessThanOrEqual(11);
  }
});

test("savings are told only of an experiment that stopped before its planned end", () => {
  const stopped = { rule: "decided" as const, sentence: "", at: "" };
  const progress = { ...experimentOut().progress, saved_share: 0.65 };
  expect(savingsOf(experimentOut({ stopped, progress }))?.replaceAll("\u00a0", " ")).toBe("Decided after 140 of 400 cases: 65% of the calls not made.");
  expect(savingsOf(experimentOut({ progress }))).toBeNull();
  expect(savingsOf(experimentOut({ stopped, progress: { ...progress, saved_share: 0 } }))).toBeNull();
});
