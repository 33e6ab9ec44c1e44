import { expect, test } from "vitest";
import { countTicks, cut, labelStep, logTicks, logTicksWithin, NAME_CHARACTER_PX, niceTicks, placeOn, zoomedAxis } from "./axis";

const figure = (value: number, low: number, high: number) => ({ value, interval: { low, high } });

test("an axis is zoomed to the figures and their intervals, with round ticks", () => {
  const axis = zoomedAxis([figure(0.52, 0.48, 0.57), figure(0.61, 0.55, 0.66), { value: null, interval: null }]);
  expect(axis).toEqual({ low: 0.45, high: 0.7, ticks: [0.45, 0.5, 0.55, 0.6, 0.65, 0.7] });
  expect([placeOn(axis, 0.45), placeOn(axis, 0.7), placeOn(axis, 2)]).toEqual([0, 1, 1]);
});

test("an axis stays within its bounds and is never empty", () => {
  expect(zoomedAxis([figure(1, 0.97, 1)]).high).toBe(1);
  const alike = zoomedAxis([{ value: 0.5, interval: null }]);
  expect(alike.low).toBeLessThan(0.5);
  expect(alike.high).toBeGreaterThan(0.5);
  expect(zoomedAxis([])).toMatchObject({ low: 0, high: 1 });
  const wide = zoomedAxis([figure(0.02, -0.31, 0.12), { value: 0, interval: null }], { low: -Infinity, high: Infinity });
  expect(wide.ticks).toContain(0);
  expect([wide.low <= -0.31, wide.high >= 0.12, wide.ticks.length <= 7]).toEqual([true, true, true]);
});

test("ticks are round, begin at nothing and reach beyond the largest", () => {
  expect(niceTicks(830)).toEqual([0, 250, 500, 750, 1000]);
  expect(niceTicks(0.004)).toEqual([0, 0.001, 0.002, 0.003, 0.004]);
  expect(niceTicks(0)).toEqual([0, 1]);
  expect(countTicks(1)).toEqual([0, 1]);
  expect(countTicks(3)).toEqual([0, 1, 2, 3]);
});

test("ticks of a logarithmic axis are 1, 2 or 5 times a power of ten", () => {
  expect(logTicks(0.0037, 0.021)).toEqual([0.002, 0.005, 0.01, 0.02, 0.05]);
  expect(logTicks(0.0037, 4)).toEqual([0.001, 0.01, 0.1, 1, 10]);
  expect(logTicksWithin({ low: 37.4, high: 2_310 })).toEqual([50, 100, 200, 500, 1000, 2000]);
  expect(logTicksWithin({ low: 3.7, high: 61_000 })).toEqual([10, 100, 1000, 10_000]);
});

test("ticks within a range that has no two such values are multiples of a round step", () => {
  expect(logTicksWithin({ low: 211, high: 389 })).toEqual([250, 300, 350]);
  expect(logTicksWithin({ low: 290.2, high: 291.1 })).toEqual([290.2, 290.4, 290.6, 290.8, 291]);
});

test("labels of ticks that would touch are left out", () => {
  expect(labelStep(["0%", "50%", "100%"], 100)).toBe(1);
  expect(labelStep(["0%", "20%", "40%", "60%", "80%", "100%"], 43)).toBe(2);
});

test("a long label is cut", () => {
  expect(cut("short", 100)).toBe("short");
  expect(cut("a label that is far too long", 62)).toBe("a label t…");
  expect(cut("a label that is far too long", 62, NAME_CHARACTER_PX)).toBe("a label…");
});
