import { expect, test } from "vitest";
import type { TaskOut } from "@/api/generated/config-api";
import type { Case } from "@/api/generated/orchestrator";
import { changesOf } from "./changes";

const CASE: Case = { id: "1", task_id: "sum-1", category: "sums", question: "What is 17 + 25?", excellent: "41" };
const TASK = {
  id: "1", task_id: "sum-1", category: "sums", subcategory: null, question: "What is 17 + 25?", excellent: "41", good: null, pass: null, incorrect_answer_direction: null,
  system_prompt: null, conversation: [], accepted_answers: [], metadata: {}, checks: [],
} as unknown as TaskOut;

test("a task that is as the run copied it has no change", () => {
  expect(changesOf(CASE, TASK)).toEqual({ asked: [], references: [] });
  const check = { kind: "contains", params: { text: "42" } };
  expect(changesOf({ ...CASE, checks: [check] }, { ...TASK, checks: [{ ...check, weight: 1, negate: false }] } as TaskOut)).toEqual({ asked: [], references: [] });
});

test("changed, added and removed references are listed with old and new", () => {
  const { asked, references } = changesOf({ ...CASE, good: "about 40" }, { ...TASK, excellent: "42", accepted_answers: ["forty-two"] });
  expect(asked).toEqual([]);
  expect(references).toEqual([
    { name: "Excellent", before: "41", after: "42" },
    { name: "Good", before: "about 40", after: "" },
    { name: "Also accepted", before: "", after: "forty-two" },
  ]);
});

test("another question or system prompt is a change of what is asked", () => {
  const { asked, references } = changesOf(CASE, { ...TASK, question: "And 17 + 26?", system_prompt: "Be brief." });
  expect(asked.map((one) => one.name)).toEqual(["Question", "System prompt"]);
  expect(references).toEqual([]);
});
