import { expect, test } from "vitest";
import { addSample, pace, type Sample } from "./rate";

const from = (...samples: [seconds: number, done: number][]) =>
  samples.reduce<Sample[]>((all, [seconds, done]) => addSample(all, { at: seconds * 1000, done }), []);

test("the rate follows from what was done", () => {
  expect(pace(from([0, 10], [30, 25], [60, 40]))).toEqual({ perMinute: 30, counted: 30 });
});

test("too little to go by is no pace", () => {
  expect(pace([])).toBeNull();
  expect(pace(from([0, 1]))).toBeNull();
  expect(pace(from([0, 1], [1, 2]))).toBeNull();
  expect(pace(from([0, 1], [60, 1]))).toBeNull();
});

test("only the last two minutes count", () => {
  const samples = from([0, 0], [10, 100], [200, 110], [230, 125]);
  expect(pace(samples)?.perMinute).toBeCloseTo(30);
});

test("work taken back starts a new measurement", () => {
  expect(from([0, 50], [10, 60], [20, 5])).toEqual([{ at: 20_000, done: 5 }]);
});
