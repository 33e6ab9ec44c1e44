import type { TaskIn, TaskOut } from "@/api/generated/config-api";

/** A task as it is being written: what is empty is not said. */
export type TaskDraft = Record<keyof TaskIn, string>;

export const EMPTY: TaskDraft = { task_id: "", category: "", subcategory: "", question: "", excellent: "", good: "", pass: "", incorrect_answer_direction: "" };

export function draftOf(task: TaskOut): TaskDraft {
  const fields = Object.keys(EMPTY) as (keyof TaskIn)[];
  return Object.fromEntries(fields.map((name) => [name, task[name] ?? ""])) as TaskDraft;
}

const said = (text: string) => (text.trim() === "" ? null : text);

export function toTask(draft: TaskDraft): TaskIn {
  return {
    task_id: draft.task_id.trim(),
    category: draft.category.trim(),
    subcategory: said(draft.subcategory.trim()),
    question: draft.question,
    excellent: said(draft.excellent),
    good: said(draft.good),
    pass: said(draft.pass),
    incorrect_answer_direction: said(draft.incorrect_answer_direction),
  };
}

/** What a task cannot be without, by its field. */
export function missing(draft: TaskDraft): Record<string, string> {
  const found: Record<string, string> = {};
  if (draft.task_id.trim() === "") found.task_id = "Give it an id of your own, as in sum-001.";
  if (draft.category.trim() === "") found.category = "Say what kind of task it is.";
  if (draft.question.trim() === "") found.question = "What is the model asked?";
  return found;
}
