import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttle } from "./throttle";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("runs at once, then once more for all calls in between", async () => {
  const task = vi.fn<() => Promise<void>>(async () => undefined);
  const throttled = throttle(task, 1000);
  for (let call = 0; call < 10; call += 1) throttled.call();
  expect(task).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(task).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(5000);
  expect(task).toHaveBeenCalledTimes(2);
});

test("a task that fails does not end the throttling", async () => {
  const task = vi.fn<() => Promise<void>>(async () => Promise.reject(new Error("down")));
  const throttled = throttle(task, 1000);
  throttled.call();
  await vi.advanceTimersByTimeAsync(1000);
  throttled.call();
  expect(task).toHaveBeenCalledTimes(2);
});

test("nothing runs after cancel", async () => {
  const task = vi.fn<() => Promise<void>>(async () => undefined);
  const throttled = throttle(task, 1000);
  throttled.call();
  throttled.call();
  throttled.cancel();
  await vi.advanceTimersByTimeAsync(5000);
  expect(task).toHaveBeenCalledTimes(1);
});

/** A task of 2 seconds, and the moments at which it began. */
function slow() {
  const begun: number[] = [];
  const start = performance.now();
  const throttled = throttle(async () => {
    begun.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }, 1000);
  return { begun, throttled };
}

test("a slow task takes at most a tenth of the time", async () => {
  const { begun, throttled } = slow();
  throttled.call();
  throttled.call();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toEqual([0, 22_000]);
});

test.each([
  ["while the slow task is at work", 1000, 3000],
  ["in the first moment of its rest", 2100, 3000],
  ["late in its rest", 9000, 9000],
])("the last word, called for %s, waits for the interval alone", async (_when, calledAt, expected) => {
  const { begun, throttled } = slow();
  throttled.call();
  throttled.call();
  await vi.advanceTimersByTimeAsync(calledAt);
  throttled.call("soon");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toEqual([0, expected]);
});
