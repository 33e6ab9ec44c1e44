/** The form of a question, its conversion to a request, and the form of an earlier question or an item. */

import type { TaskOut } from "@/api/generated/config-api";
import type { AskPlayground, Case, TargetOut } from "@/api/generated/orchestrator";
import { NOTHING_SAID, samplingOf, toParams, type SamplingForm } from "@/lib/sampling-form";
import { uniqueKey } from "@/lib/unique-key";

export const MOST_TARGETS = 4;

/** The parts of a case that are asked or that a judge reads. */
type Asked = Pick<AskPlayground, "context" | "case_name" | "category" | "excellent" | "good" | "pass" | "incorrect_answer_direction">;

export interface TargetForm {
  key: string;
  providerId: string;
  model: string;
}

export interface QuestionForm {
  question: string;
  systemPrompt: string;
  expected: string;
  /** The parts without a field of their own. */
  asked: Asked;
  targets: TargetForm[];
  sampling: SamplingForm;
}

export const newTarget = (providerId = "", model = ""): TargetForm => ({ key: uniqueKey(), providerId, model });

export const emptyForm = (): QuestionForm => ({ question: "", systemPrompt: "", expected: "", asked: {}, targets: [newTarget()], sampling: NOTHING_SAID });

const kept = <T extends object>(part: T): Partial<T> => Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null && value !== undefined && value !== "")) as Partial<T>;

/** Return the form with the question of a case, and everything that belongs to it. */
export function withCase(form: QuestionForm, one: Case): QuestionForm {
  const { context, excellent, good, pass, incorrect_answer_direction, task_id: case_name, category } = one;
  return {
    ...form,
    question: one.question,
    systemPrompt: one.system_prompt ?? "",
    expected: one.expected_output ?? one.ground_truth?.answer ?? one.ground_truth?.acceptable_answers?.[0] ?? "",
    asked: kept({ context, excellent, good, pass, incorrect_answer_direction, case_name, category }),
  };
}

/** Return the form with the question of a task. */
export function withTask(form: QuestionForm, task: TaskOut): QuestionForm {
  const { excellent, good, pass, incorrect_answer_direction, task_id: case_name, category } = task;
  return {
    ...form,
    question: task.question,
    systemPrompt: task.system_prompt ?? "",
    expected: task.accepted_answers?.[0] ?? "",
    asked: kept({ excellent, good, pass, incorrect_answer_direction, case_name, category }),
  };
}

/** Return the form of an item: its case and the targets, `first` the first of them. Deleted providers are left out. */
export function formOfItem(one: Case, targets: readonly TargetOut[], first?: string): QuestionForm {
  const ordered = targets.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
  const named = ordered.flatMap(({ provider_id: providerId, model }) => (providerId ? [newTarget(providerId, model)] : []));
  const different = named.filter((target, index) => named.findIndex((other) => other.providerId === target.providerId && other.model === target.model) === index);
  const sampling = ordered[0] ? samplingOf(ordered[0].params) : NOTHING_SAID;
  const form = withCase(emptyForm(), one);
  return {
    ...form,
    systemPrompt: [sampling.systemPrompt, form.systemPrompt].filter(Boolean).join("\n\n"),
    targets: different.length > 0 ? different.slice(0, MOST_TARGETS) : form.targets,
    sampling: { ...sampling, systemPrompt: "" },
  };
}

/** Return the missing fields, by their paths in the request. */
export function missing(form: QuestionForm): Record<string, string> {
  const found: Record<string, string> = {};
  if (form.question.trim() === "") found.question = "Write a question, or take the one of a task.";
  form.targets.forEach((target, index) => {
    if (target.providerId === "") found[`targets.${index}.provider_id`] = "Choose a provider.";
    else if (target.model.trim() === "") found[`targets.${index}.model`] = "Choose a model.";
  });
  return found;
}

export function toRequest(form: QuestionForm): AskPlayground {
  const names = form.targets.map(({ model }) => model.trim());
  return {
    question: form.question,
    ...(form.systemPrompt.trim() !== "" && { system_prompt: form.systemPrompt }),
    ...(form.expected.trim() !== "" && { expected_output: form.expected }),
    ...form.asked,
    targets: form.targets.map(({ providerId, model }, index) => {
      const before = names.slice(0, index).filter((name) => name === model.trim()).length;
      return { provider_id: providerId, model: model.trim(), ...(before > 0 && { label: `${model.trim()} (${before + 1})` }) };
    }),
    params: toParams(form.sampling),
  };
}
