// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReachWatch, type Answer } from "./reach";

let answers: Record<string, Answer>;
let asked: string[];
let stop: () => void = () => undefined;

/** A server whose silence lasts as long as it is waited for. */
function watchOf(): ReachWatch {
  const watch = new ReachWatch(async (path, timeoutMs) => {
    asked.push(path);
    const answer = answers[path] ?? "refused";
    if (answer === "silent") await new Promise((resolve) => setTimeout(resolve, timeoutMs));
    return answer;
  });
  stop = watch.watch();
  return watch;
}

beforeEach(() => {
  vi.useFakeTimers();
  answers = { "/health/orchestrator": "yes", "/theme.js": "yes" };
  asked = [];
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test.each<[string, Record<string, Answer>]>([
  ["refuses connections", { "/health/orchestrator": "refused", "/theme.js": "refused" }],
  ["swallows every packet", { "/health/orchestrator": "silent", "/theme.js": "silent" }],
  ["has lost a service", { "/health/orchestrator": "unready", "/theme.js": "yes" }],
])("a server that %s is away within three seconds, and back within one of its return", async (_, gone) => {
  const watch = watchOf();
  await vi.advanceTimersByTimeAsync(5000);
  expect(watch.state.get()).toEqual({ isThere: true });
  answers = gone;
  await vi.advanceTimersByTimeAsync(2990);
  expect(watch.state.get().isThere).toBe(false);
  answers = { "/health/orchestrator": "yes", "/theme.js": "yes" };
  await vi.advanceTimersByTimeAsync(2990);
  expect(watch.state.get()).toEqual({ isThere: true });
});

test("a service that is only busy is not away", async () => {
  const watch = watchOf();
  answers = { "/health/orchestrator": "silent", "/theme.js": "yes" };
  await vi.advanceTimersByTimeAsync(8000);
  expect(watch.state.get()).toEqual({ isThere: true });
  await vi.advanceTimersByTimeAsync(12_000);
  expect(watch.state.get().isThere).toBe(false);
});

test("what waits for the server goes on when it answers", async () => {
  const watch = watchOf();
  answers = {};
  let isBack = false;
  void watch.returned().then(() => (isBack = true));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isBack).toBe(false);
  answers = { "/health/orchestrator": "yes" };
  await vi.advanceTimersByTimeAsync(1000);
  expect(isBack).toBe(true);
});

test("nobody is asked once nobody watches", async () => {
  watchOf();
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked.length).toBeGreaterThan(0);
  stop();
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked.length).toBe(before);
});
