import { expect, test } from "vitest";
import { remaining } from "./remaining";

type Run = Parameters<typeof remaining>[0];
type Group = Run["groups"][number];

const group = (id: string, over: Partial<Group> = {}): Group => ({ id, phase: "BENCHMARKING", provider_id: "p", model: id, status: "WAITING", concurrency: 1, total: 100, done: 0, failed: 0, ...over });
const judge = group("judge", { phase: "JUDGING" });
const run = (over: Partial<Run> = {}): Run => ({ phase: "BENCHMARKING", groups: [], targets: [], results: [], ...over });
const at = (perMinute: number, counted: number) => new Map([["a", { perMinute, counted }]]);

test("an open model takes as long as its pace says, the surer the more was counted", () => {
  const one = run({ groups: [group("a", { status: "OPEN", done: 40 })] });
  expect(remaining(one, at(60, 100)).now?.low).toBeCloseTo(60 / 1.1, 6);
  const rough = remaining(one, at(60, 4)).now;
  expect(rough).toEqual({ low: 40, high: 120 });
});

test("models to come count with the pace of the known ones, and only one known makes it wide", () => {
  const groups = [group("a", { status: "OPEN", total: 10, done: 10 }), group("b")];
  const estimate = remaining(run({ groups }), at(60, 10_000));
  expect(estimate.toCome).toBe(1);
  expect(estimate.now?.low).toBeCloseTo(50, 0);
  expect(estimate.now?.high).toBeCloseTo(200, -1);
});

test("a model that was left is known by the time of its answers", () => {
  const groups = [group("a", { status: "CLOSED", done: 100 }), group("b", { status: "OPEN" })];
  const estimate = remaining(run({ groups, targets: [{ id: "t", provider_id: "p", model: "a" }], results: [{ target_id: "t", mean_time_ms: 2000, timed: 10_000 }] }), new Map());
  expect(estimate.now?.low).toBeCloseTo(100, -1);
  expect(estimate.now?.high).toBeCloseTo(400, -1);
});

test("a judge of whom nothing is known is said to follow; programs and nothing are told apart", () => {
  expect(remaining(run({ groups: [group("a"), judge] }), new Map())).toEqual({ now: null, toCome: 1, next: "judge", perMinute: null });
  expect(remaining(run({ groups: [{ ...judge, provider_id: null }] }), new Map()).next).toBe("programs");
  expect(remaining(run({ groups: [group("a")] }), new Map()).next).toBe("nothing");
});

test("in judging the answers' times say nothing of the judge", () => {
  const groups = [group("a", { status: "CLOSED", done: 100 }), { ...judge, status: "OPEN" as const }];
  const judging = run({ phase: "JUDGING", groups, targets: [{ id: "t", provider_id: "p", model: "judge" }], results: [{ target_id: "t", mean_time_ms: 2000, timed: 100 }] });
  expect(remaining(judging, new Map()).now).toBeNull();
  expect(remaining(judging, new Map([["judge", { perMinute: 60, counted: 25 }]])).now).toEqual({ low: 100 / 1.2, high: 125 });
});

test("models side by side take as long as the longest", () => {
  const groups = [group("a", { status: "OPEN" }), group("b", { status: "OPEN", total: 50 })];
  const paces = new Map(["a", "b"].map((id) => [id, { perMinute: 60, counted: 1e12 }]));
  expect(remaining(run({ groups }), paces).now?.high).toBeCloseTo(100, 3);
  expect(remaining(run({ groups }), paces).perMinute).toBe(120);
});
