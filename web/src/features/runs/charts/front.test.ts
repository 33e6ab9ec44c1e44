import { expect, test } from "vitest";
import { axisOf, paretoFront, type Point } from "./front";

const point = (label: string, x: number, y: number): Point => ({ id: label, label, x, y, interval: null });

test("the front holds what no other target beats, from the fastest to the best", () => {
  const points = [point("best", 30, 0.9), point("beaten", 31, 0.8), point("fast", 1, 0.2), point("middle", 10, 0.5), point("slow and bad", 40, 0.1)];
  expect(paretoFront(points).map((one) => one.label)).toEqual(["fast", "middle", "best"]);
});

test("equal targets are both on the front; what costs the same and scores less is not", () => {
  expect(paretoFront([point("a", 1, 0.5), point("b", 1, 0.5), point("c", 1, 0.4), point("d", 2, 0.5)]).map((one) => one.label)).toEqual(["a", "b"]);
  expect(paretoFront([])).toEqual([]);
});

test("an axis is logarithmic where values are far apart, and begins at nothing otherwise", () => {
  const far = axisOf([0.002, 0.3]);
  expect([far.isLog, far.ticks.map((tick) => tick.toPrecision(1)), far.place(1), far.place(0.001)]).toEqual([true, ["0.001", "0.01", "0.1", "1"], 1, 0]);
  expect(axisOf([0, 300])).toMatchObject({ isLog: false, ticks: [0, 100, 200, 300] });
  expect(axisOf([100, 900]).isLog).toBe(false);
  const near = axisOf([0.3, 0.9], 1);
  expect([near.isLog, near.ticks, near.place(0.2), near.place(1)]).toEqual([true, [0.2, 0.5, 1], 0, 1]);
  expect(axisOf([0.5], 1).ticks).toEqual([0.5, 1]);
});
