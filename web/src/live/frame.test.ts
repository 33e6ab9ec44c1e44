// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { frameBatch } from "./frame";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("many requests within a frame are one flush", () => {
  const flush = vi.fn<() => void>();
  const batch = frameBatch(flush);
  for (let request = 0; request < 200; request += 1) batch.request();
  expect(flush).not.toHaveBeenCalled();
  vi.advanceTimersToNextFrame();
  expect(flush).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(2000);
  expect(flush).toHaveBeenCalledTimes(1);
});

test("a hidden tab, which gets no frames, is flushed by a timer", () => {
  vi.stubGlobal("requestAnimationFrame", () => 0);
  const flush = vi.fn<() => void>();
  frameBatch(flush).request();
  vi.advanceTimersByTime(1000);
  expect(flush).toHaveBeenCalledTimes(1);
  vi.unstubAllGlobals();
});

test("nothing is flushed after cancel", () => {
  const flush = vi.fn<() => void>();
  const batch = frameBatch(flush);
  batch.request();
  batch.cancel();
  vi.advanceTimersByTime(2000);
  expect(flush).not.toHaveBeenCalled();
});
