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
