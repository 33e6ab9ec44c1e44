import { expect, test } from "vitest";
import { niceTicks, paretoFront, type Point } from "./front";

const point = (label: string, x: number, y: number): Point => ({ id: label, label, x, y, interval: null });

test("the front holds what no other target beats, from the fastest to the best", () => {
  const points = [point("best", 30, 0.9), point("beaten", 31, 0.8), point("fast", 1, 0.2), point("middle", 10, 0.5), point("slow and bad", 40, 0.1)];
  expect(paretoFront(points).map((one) => one.label)).toEqual(["fast", "middle", "best"]);
});

test("equal targets are both on the front; what costs the same and scores less is not", () => {
  expect(paretoFront([point("a", 1, 0.5), point("b", 1, 0.5), point("c", 1, 0.4), point("d", 2, 0.5)]).map((one) => one.label)).toEqual(["a", "b"]);
  expect(paretoFront([])).toEqual([]);
});

test("ticks are round, begin at nothing and reach beyond the largest", () => {
  expect(niceTicks(830)).toEqual([0, 250, 500, 750, 1000]);
  expect(niceTicks(0.004)).toEqual([0, 0.001, 0.002, 0.003, 0.004]);
  expect(niceTicks(0)).toEqual([0, 1]);
});
