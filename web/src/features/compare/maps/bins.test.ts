import { expect, test } from "vitest";
import { heatStep } from "@/components/charts/heat";
import { binWords, radius } from "./bins";

test("each tenth of the scale has a step, and a full score has the last", () => {
  expect([0, 0.099, 0.1, 0.3, 0.55, 0.7, 0.9, 1].map(heatStep)).toEqual([0, 0, 1, 3, 5, 7, 9, 9]);
});

test("a mark's area grows with its cases, and one case is still seen", () => {
  expect(radius(100, 100)).toBe(15);
  expect(radius(25, 100)).toBe(7.5);
  expect(radius(1, 10_000)).toBe(4);
});

test("a bin is said in words", () => {
  expect(binWords("13:20")).toBe("about 65.0% → 100.0%");
});
