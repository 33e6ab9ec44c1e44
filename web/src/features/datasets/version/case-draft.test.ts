import { expect, test } from "vitest";
import { testCase } from "@/testing/config-samples";
import { draftOf, toPatch } from "./case-draft";

const truth = { ground_truth_id: "g", value: { answer: "42", citations: ["Handbook"] }, source: "AUTOMATED", confidence: 0.5 } as const;
const one = testCase(1, { input: { prompt: "What is 17 + 25?", conversation_id: "sums", turn: 2 }, expected_output: "42", ground_truth: truth });

test("only what changed is sent, and what has no field stays in it", () => {
  expect(toPatch(one, draftOf(one))).toEqual({});
  expect(toPatch(one, { ...draftOf(one), prompt: "And 18 + 25?", expected: "" })).toEqual({
    input: { prompt: "And 18 + 25?", context: null, system_prompt: null, conversation_id: "sums", turn: 2 },
    expected_output: null,
  });
  expect(toPatch(one, { ...draftOf(one), answer: "43", source: "EXPERT" })).toEqual({ ground_truth: { answer: "43", citations: ["Handbook"], source: "EXPERT", confidence: 0.5 } });
});

test("a case without ground truth gets none by a choice of its source", () => {
  const bare = testCase(1, { ground_truth: null });
  expect(toPatch(bare, { ...draftOf(bare), source: "IMPORTED" })).toEqual({ ground_truth: null });
});
