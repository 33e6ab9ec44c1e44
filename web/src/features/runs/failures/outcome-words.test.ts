import { expect, test } from "vitest";
import type { ItemRow } from "@/api/generated/orchestrator";
import { itemRow } from "@/testing/samples";
import { outcomeWords } from "./outcome-words";

const failed = (position: number, cause: string, phase: "BENCHMARKING" | "JUDGING" = "BENCHMARKING"): ItemRow =>
  itemRow(position, { status: "FAILED", failure: { phase, kind: "rejected", cause, message: "no", retryable: true } });
const completed = (position: number) => itemRow(position, { status: "COMPLETED" });

test("the outcome of a retry names what was answered, and why the rest still fails", () => {
  const before = [failed(0, "context_overflow"), failed(1, "context_overflow"), failed(2, "timed_out")];
  expect(outcomeWords({ before, after: [completed(0), failed(1, "context_overflow"), completed(2)] })).toEqual({ text: "Tried again: 2 answered, 1 still fails: context overflow.", tone: "bad" });
});

test("two causes that are left are counted apart", () => {
  const before = [failed(0, "timed_out"), failed(1, "timed_out"), failed(2, "timed_out")];
  const after = [failed(0, "timed_out"), failed(1, "timed_out"), failed(2, "unparsed", "JUDGING")];
  expect(outcomeWords({ before, after }).text).toBe("Tried again: 3 still fail: 2 timed out, 1 unparsed.");
});

test("verdicts that were tried again are judged, not answered", () => {
  expect(outcomeWords({ before: [failed(0, "unparsed", "JUDGING")], after: [completed(0)] })).toEqual({ text: "Tried again: 1 judged.", tone: "good" });
});

test("a run that was cancelled meanwhile leaves items unfinished", () => {
  expect(outcomeWords({ before: [failed(0, "timed_out")], after: [itemRow(0, { status: "NEW" })] })).toEqual({ text: "Tried again: 1 not finished.", tone: "bad" });
});
