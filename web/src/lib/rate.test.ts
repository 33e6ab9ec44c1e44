import { expect, test } from "vitest";
import { addSample, pace, type Sample } from "./rate";

const from = (...samples: [seconds: number, done: number][]) =>
  samples.reduce<Sample[]>((all, [seconds, done]) => addSample(all, { at: seconds * 1000, done }), []);

test("rate and remaining time follow from what was done", () => {
  expect(pace(from([0, 10], [30, 25], [60, 40]), 100)).toEqual({ perMinute: 30, remainingS: 120 });
});

test("too little to go by is no pace", () => {
  expect(pace([], 10)).toBeNull();
  expect(pace(from([0, 1]), 10)).toBeNull();
  expect(pace(from([0, 1], [1, 2]), 10)).toBeNull();
  expect(pace(from([0, 1], [60, 1]), 10)).toBeNull();
});

test("only the last two minutes count", () => {
  const samples = from([0, 0], [10, 100], [200, 110], [230, 125]);
  expect(pace(samples, 125)?.perMinute).toBeCloseTo(30);
});

test("work taken back starts a new measurement", () => {
  expect(from([0, 50], [10, 60], [20, 5])).toEqual([{ at: 20_000, done: 5 }]);
});
