import { expect, test } from "vitest";
import { testCase } from "@/testing/config-samples";
import { answered, draftOf, toPatch, wrongIn } from "./case-draft";

const truth = { ground_truth_id: "g", value: { answer: "42", citations: ["Handbook"] }, source: "AUTOMATED", confidence: 0.5 } as const;
const one = testCase(1, { input: { prompt: "What is 17 + 25?", conversation_id: "sums", turn: 2 }, expected_output: "42", ground_truth: truth });

test("only what changed is sent, and what has no field stays in it", () => {
  expect(toPatch(one, draftOf(one))).toEqual({});
  expect(toPatch(one, { ...draftOf(one), prompt: "And 18 + 25?", expected: "" })).toEqual({
    input: { prompt: "And 18 + 25?", context: null, system_prompt: null, conversation_id: "sums", turn: 2 },
    expected_output: null,
  });
  expect(toPatch(one, { ...draftOf(one), answer: "43", source: "EXPERT" })).toEqual({ ground_truth: { answer: "43", citations: ["Handbook"], source: "EXPERT", confidence: null } });
});

test("a case without ground truth gets none by a choice of its source", () => {
  const bare = testCase(1, { ground_truth: null });
  expect(toPatch(bare, { ...draftOf(bare), source: "IMPORTED" })).toEqual({ ground_truth: null });
});

test("an answer that was all of the ground truth takes it along, and nothing else does", () => {
  expect(toPatch(one, { ...draftOf(one), answer: "" })).toEqual({ ground_truth: { answer: null, citations: ["Handbook"], source: "AUTOMATED", confidence: null } });
  const alone = testCase(1, { ground_truth: { ...truth, value: { answer: "42" } } });
  expect(toPatch(alone, { ...draftOf(alone), answer: "" })).toEqual({ ground_truth: null });
  expect(toPatch(alone, { ...draftOf(alone), source: "EXPERT" })).toEqual({ ground_truth: { answer: "42", source: "EXPERT", confidence: 0.5 } });
});

test("an answer that is written by hand says so, until another source is chosen or it is as it was", () => {
  const written = answered(one, draftOf(one), "43");
  expect(written).toMatchObject({ answer: "43", source: "EXPERT" });
  expect(answered(one, written, "42")).toEqual(draftOf(one));
  expect(answered(one, { ...written, source: "AUTOMATED" }, "44")).toMatchObject({ answer: "44", source: "AUTOMATED" });
  expect(answered(one, { ...draftOf(one), source: "HUMAN_CONSENSUS" }, "44")).toMatchObject({ source: "HUMAN_CONSENSUS" });
});

test("checks are written as JSON, and sent when they changed", () => {
  const checked = testCase(1, { checks: [{ kind: "contains", params: { text: "42" } }] });
  expect(toPatch(checked, draftOf(checked))).toEqual({});
  expect(toPatch(checked, { ...draftOf(checked), checks: "" })).toEqual({ checks: [] });
  expect(toPatch(one, { ...draftOf(one), checks: '[{"kind": "is_json"}]' })).toEqual({ checks: [{ kind: "is_json" }] });
  expect(wrongIn({ ...draftOf(one), checks: "{}" })).toHaveProperty("checks");
});
