/** A case of a draft as it is being edited, and what of it is sent: the parts that changed, each whole. */

import type { CaseInput, TestCaseOut, TestCasePatch, Truth, TruthSource } from "@/api/generated/config-api";
import { partsOf } from "./case-parts";

export interface CaseDraft {
  name: string;
  prompt: string;
  context: string;
  systemPrompt: string;
  expected: string;
  answer: string;
  source: TruthSource;
}

export function draftOf(one: TestCaseOut): CaseDraft {
  const parts = partsOf(one);
  return {
    name: one.name,
    prompt: parts.prompt,
    context: parts.context ?? "",
    systemPrompt: parts.systemPrompt ?? "",
    expected: parts.expected ?? "",
    answer: parts.answer ?? "",
    source: one.ground_truth?.source ?? "EXPERT",
  };
}

/** What a person writes here is no longer what a machine wrote, or a file said; unless another source was chosen. */
export function answered(one: TestCaseOut, draft: CaseDraft, answer: string): CaseDraft {
  const before = draftOf(one);
  const isByHand = draft.source === "EXPERT" && before.source !== "EXPERT";
  if (answer === before.answer) return { ...draft, answer, source: isByHand ? before.source : draft.source };
  return { ...draft, answer, source: draft.source === before.source && draft.answer === before.answer ? "EXPERT" : draft.source };
}

const orNull = (text: string) => (text === "" ? null : text);

/** Nothing where nothing was changed. What has no field here (a conversation, citations, a rubric) stays as it is. */
export function toPatch(one: TestCaseOut, draft: CaseDraft): TestCasePatch {
  const before = draftOf(one);
  const isOther = (...names: (keyof CaseDraft)[]) => names.some((name) => draft[name] !== before[name]);
  const input: CaseInput = { ...one.input, prompt: draft.prompt, context: orNull(draft.context), system_prompt: orNull(draft.systemPrompt) };
  const said: Truth = { ...one.ground_truth?.value, answer: orNull(draft.answer) };
  const saysNothing = Object.values(said).every((part) => part == null);
  // How sure somebody was, they were of the answer as it was.
  const confidence = isOther("answer") ? null : (one.ground_truth?.confidence ?? null);
  return {
    ...(isOther("name") && { name: draft.name.trim() }),
    ...(isOther("prompt", "context", "systemPrompt") && { input }),
    ...(isOther("expected") && { expected_output: orNull(draft.expected) }),
    ...(isOther("answer", "source") && { ground_truth: saysNothing ? null : { ...said, source: draft.source, confidence } }),
  };
}
