/** Read the parts of a test case, which the API declares only as JSON. */

import type { TestCaseOut, TruthSource } from "@/api/generated/config-api";

/** Labels of the sources of ground truth. */
export const SOURCES: Readonly<Record<TruthSource, string>> = { HUMAN_CONSENSUS: "consensus of people", EXPERT: "an expert", AUTOMATED: "automated", IMPORTED: "imported" };

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

export const promptOf = (one: TestCaseOut): string => text(one.input.prompt) ?? "";

/** The expected output, else the ground truth's answer. */
export const expectedOf = (one: TestCaseOut): string | null => one.expected_output ?? text(one.ground_truth?.value.answer);

export interface Turn {
  role: string;
  content: string;
}

export interface CaseParts {
  systemPrompt: string | null;
  context: string | null;
  conversation: Turn[];
  prompt: string;
  expected: string | null;
  answer: string | null;
  acceptable: string[];
  citations: string[];
  rubric: [string, string][];
}

export function partsOf(one: TestCaseOut): CaseParts {
  const truth: Record<string, unknown> = one.ground_truth?.value ?? {};
  return {
    systemPrompt: text(one.input.system_prompt),
    context: text(one.input.context),
    conversation: turnsOf(one.input.conversation),
    prompt: promptOf(one),
    expected: one.expected_output,
    answer: text(truth.answer),
    acceptable: textsOf(truth.acceptable_answers),
    citations: textsOf(truth.citations),
    rubric: Object.entries(isRecord(truth.rubric) ? truth.rubric : {}).map(([name, value]) => [name, asText(value)]),
  };
}

/** Return text unchanged and anything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(asText) : []);

function turnsOf(value: unknown): Turn[] {
  return (Array.isArray(value) ? value : []).filter(isRecord).map((turn) => ({ role: asText(turn.role), content: asText(turn.content) }));
}
