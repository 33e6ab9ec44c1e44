import { expect, test } from "vitest";
import { overallScale, rangeInWords } from "./overall-scale";

const rubric = { primary: true, member: false, weight: 1, scale_min: 0, scale_max: 10 };
const contains = { primary: true, member: false, weight: 1, scale_min: 0, scale_max: 1 };

test("scores of one weighted evaluator keep its scale", () => {
  expect(overallScale([rubric])).toEqual({ low: 0, high: 10 });
  expect(overallScale([rubric, { ...contains, weight: 0 }])).toEqual({ low: 0, high: 10 });
  expect(overallScale([{ ...rubric, primary: false }, rubric, { ...rubric, member: true }])).toEqual({ low: 0, high: 10 });
});

test("scores of several weighted evaluators are on 0 to 1", () => {
  expect(overallScale([rubric, contains])).toEqual({ low: 0, high: 1 });
  expect(overallScale([rubric, { ...rubric, scale_min: 1, scale_max: 5 }])).toEqual({ low: 0, high: 1 });
});

test("a range is told on the scale", () => {
  expect(rangeInWords({ low: 0, high: 10 }, 0.15, 0.25)).toBe("1.5 to 2.5");
  expect(rangeInWords({ low: 1, high: 5 }, undefined, 0.05)).toBe("1 to 1.2");
  expect(rangeInWords({ low: 0, high: 1 }, 0.95, undefined)).toBe("0.95 to 1");
});
