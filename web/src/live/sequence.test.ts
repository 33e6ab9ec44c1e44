import { expect, test } from "vitest";
import { SequenceTracker } from "./sequence";

test("numbers in order move the watermark and leave no gap", () => {
  const tracker = new SequenceTracker();
  expect([1, 2, 3].map((seq) => tracker.add(seq))).toEqual([true, true, true]);
  expect(tracker.watermark).toBe(3);
  expect(tracker.hasGap).toBe(false);
});

test("a duplicate is refused, below the watermark and above it", () => {
  const tracker = new SequenceTracker(5);
  expect(tracker.add(4)).toBe(false);
  expect(tracker.add(8)).toBe(true);
  expect(tracker.add(8)).toBe(false);
});

test("a number that comes early waits for those before it", () => {
  const tracker = new SequenceTracker();
  tracker.add(3);
  tracker.add(1);
  expect(tracker.watermark).toBe(1);
  expect(tracker.hasGap).toBe(true);
  tracker.add(2);
  expect(tracker.watermark).toBe(3);
  expect(tracker.hasGap).toBe(false);
});

test("settling closes gaps and joins what came early", () => {
  const tracker = new SequenceTracker();
  tracker.add(2);
  tracker.add(6);
  tracker.settle(5);
  expect(tracker.watermark).toBe(6);
  expect(tracker.add(4)).toBe(false);
});

test("an expected number that has not come is a gap", () => {
  const tracker = new SequenceTracker(2);
  tracker.expect(4);
  expect(tracker.hasGap).toBe(true);
  expect(tracker.highest).toBe(4);
});
