import type { TaskIn, TaskOut } from "@/api/generated/config-api";

/** The form of a task. Empty fields are not sent; lists and objects are written as JSON. */
export type TaskDraft = Record<keyof TaskIn, string>;

export const EMPTY: TaskDraft = {
  task_id: "", category: "", subcategory: "", question: "", excellent: "", good: "", pass: "", incorrect_answer_direction: "", system_prompt: "", conversation: "",
  accepted_answers: "", metadata: "", checks: "",
};

/** The JSON fields with their labels and hints. */
export const STRUCTURED = [
  { field: "accepted_answers", label: "Accepted answers", hint: 'Every answer that is right: ["Paris", "It is Paris."]', isList: true },
  { field: "checks", label: "Checks", hint: 'What an answer must satisfy: [{"kind": "contains", "params": {"text": "Paris"}}]', isList: true },
  { field: "conversation", label: "Conversation before it", hint: '[{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]', isList: true },
  { field: "metadata", label: "Metadata", hint: '{"level": 3}', isList: false },
] as const satisfies readonly { field: keyof TaskIn; label: string; hint: string; isList: boolean }[];

const isEmpty = (value: object) => Object.keys(value).length === 0;

function written(value: TaskOut[keyof TaskIn]): string {
  if (value === null || typeof value === "string") return value ?? "";
  return isEmpty(value) ? "" : JSON.stringify(value, null, 2);
}

export function draftOf(task: TaskOut): TaskDraft {
  const fields = Object.keys(EMPTY) as (keyof TaskIn)[];
  return Object.fromEntries(fields.map((name) => [name, written(task[name])])) as TaskDraft;
}

const orNull = (text: string) => (text.trim() === "" ? null : text);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const listOf = (text: string) => {
  const value = parsed(text);
  return Array.isArray(value) ? (value as never[]) : [];
};

const objectOf = (text: string) => {
  const value = parsed(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
};

export function toTask(draft: TaskDraft): TaskIn {
  return {
    task_id: draft.task_id.trim(),
    category: draft.category.trim(),
    subcategory: orNull(draft.subcategory.trim()),
    question: draft.question,
    excellent: orNull(draft.excellent),
    good: orNull(draft.good),
    pass: orNull(draft.pass),
    incorrect_answer_direction: orNull(draft.incorrect_answer_direction),
    system_prompt: orNull(draft.system_prompt),
    conversation: listOf(draft.conversation),
    accepted_answers: listOf(draft.accepted_answers),
    metadata: objectOf(draft.metadata),
    checks: listOf(draft.checks),
  };
}

/** Return the missing fields and those with invalid JSON, keyed by field. */
export function missing(draft: TaskDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  if (draft.task_id.trim() === "") problems.task_id = "Enter an id, such as sum-001.";
  if (draft.category.trim() === "") problems.category = "Enter a category, such as arithmetic.";
  if (draft.question.trim() === "") problems.question = "Enter the question.";
  for (const { field, isList } of STRUCTURED) {
    if (draft[field].trim() === "") continue;
    const value = parsed(draft[field]);
    const fits = isList ? Array.isArray(value) : typeof value === "object" && value !== null && !Array.isArray(value);
    if (!fits) problems[field] = isList ? "Write it as a list in JSON: […]." : "Write it as an object in JSON: {…}.";
  }
  return problems;
}
