import { expect, test } from "vitest";
import { startText, turnText } from "./queue-words";

test("a queued run has its place, and its priority if that is not the usual one", () => {
  expect(turnText({ position: 2, priority: 0, estimated_start: null })).toBe("Number 2 in the queue. Its start cannot be estimated yet.");
  expect(turnText({ position: 1, priority: 5, estimated_start: null })).toContain("Number 1 in the queue, priority 5.");
  expect(turnText(null)).toBe("Waits for its turn.");
});

test("an expected start has its date and time", () => {
  expect(startText({ position: 1, priority: 0, estimated_start: "2026-11-24T10:30:00Z" })).toMatch(/^Expected to start at .*24/);
});
