/** Edit a case of a draft; only the changed parts are sent. */

import type { CaseInput, CheckIn, TestCaseOut, TestCasePatch, Truth, TruthSource } from "@/api/generated/config-api";
import { partsOf } from "./case-parts";

export interface CaseDraft {
  name: string;
  prompt: string;
  context: string;
  systemPrompt: string;
  expected: string;
  answer: string;
  source: TruthSource;
  /** A JSON list; empty without checks. */
  checks: string;
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
    checks: one.checks.length === 0 ? "" : JSON.stringify(one.checks, null, 2),
  };
}

/** Set the answer. An edited answer counts as an expert's, unless another source was chosen. */
export function answered(one: TestCaseOut, draft: CaseDraft, answer: string): CaseDraft {
  const before = draftOf(one);
  const isByHand = draft.source === "EXPERT" && before.source !== "EXPERT";
  if (answer === before.answer) return { ...draft, answer, source: isByHand ? before.source : draft.source };
  return { ...draft, answer, source: draft.source === before.source && draft.answer === before.answer ? "EXPERT" : draft.source };
}

const orNull = (text: string) => (text === "" ? null : text);

function checksOf(text: string): CheckIn[] | null {
  if (text.trim() === "") return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as CheckIn[]) : null;
  } catch {
    return null;
  }
}

/** Return the fields that cannot be sent, with an error each. */
export function wrongIn(draft: CaseDraft): Record<string, string> {
  return checksOf(draft.checks) === null ? { checks: "Write it as a list in JSON: […]." } : {};
}

/**
 * Return a patch of the changed fields only. Parts without a field (a conversation, citations, a rubric) stay
 * unchanged.
 */
export function toPatch(one: TestCaseOut, draft: CaseDraft): TestCasePatch {
  const before = draftOf(one);
  const isOther = (...names: (keyof CaseDraft)[]) => names.some((name) => draft[name] !== before[name]);
  const input: CaseInput = { ...one.input, prompt: draft.prompt, context: orNull(draft.context), system_prompt: orNull(draft.systemPrompt) };
  const truth: Truth = { ...one.ground_truth?.value, answer: orNull(draft.answer) };
  const isEmpty = Object.values(truth).every((part) => part == null);
  // The confidence referred to the previous answer.
  const confidence = isOther("answer") ? null : (one.ground_truth?.confidence ?? null);
  return {
    ...(isOther("name") && { name: draft.name.trim() }),
    ...(isOther("prompt", "context", "systemPrompt") && { input }),
    ...(isOther("expected") && { expected_output: orNull(draft.expected) }),
    ...(isOther("checks") && { checks: checksOf(draft.checks) ?? [] }),
    ...(isOther("answer", "source") && { ground_truth: isEmpty ? null : { ...truth, source: draft.source, confidence } }),
  };
}
