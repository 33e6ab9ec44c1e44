import { expect, test } from "vitest";
import { emptyForm, newTarget, NO_LIMITS, toCreateRun } from "../new/run-form";
import { anewOf, judgedAgain } from "./judged-again";

test("every target takes stored answers, whatever the copied run said", () => {
  const targets = [newTarget("p", "small", "1"), { ...newTarget("p", "large", "2"), limits: { ...NO_LIMITS, useCache: false, epochs: 2 } }];
  const form = judgedAgain({ ...emptyForm(), targets, limits: { ...NO_LIMITS, timeoutS: 60 } }, { id: "run-1", name: "Sums" });
  const body = toCreateRun(form);
  expect(body).toMatchObject({ name: "Sums, reference mended", baseline_run_id: "run-1", use_cache: true, timeout_s: 60 });
  expect(body.targets.map((one) => one.use_cache)).toEqual([undefined, undefined]);
  expect(body.targets[1]?.epochs).toBe(2);
});

const nameOf = (name: string) => judgedAgain(emptyForm(), { id: "run-1", name }).name;

test("the name says it once, and fits", () => {
  expect(nameOf("Sums, reference mended")).toBe("Sums, reference mended");
  expect(nameOf("x".repeat(255))).toHaveLength(255);
});

test("answers that the run lacks and those to a changed question are asked again", () => {
  const run = { counts: { items: 10, answered: 8, judged: 8, failed: 2, skipped: 0 }, targets: [{ epochs: 1 }, { epochs: 3 }] } as unknown as Parameters<typeof anewOf>[0];
  expect(anewOf(run, false)).toBe(2);
  expect(anewOf(run, true)).toBe(6);
});
