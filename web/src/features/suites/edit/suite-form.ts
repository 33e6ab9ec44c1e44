/** The form of a suite. Each task is kept as the API has it, so that a field without an input stays as it was. */

import type { SuiteIn, SuiteTaskIn, TaskEvaluatorIn } from "@/api/generated/config-api";
import { uniqueKey } from "@/lib/unique-key";
import { cycleOf } from "./order";

export const MOST_TASKS = 100;
export const MOST_EVALUATORS = 10;

/** A gate of a task: the key of the task that decides it, and the lowest score that passes. */
export interface GateForm {
  key: string;
  least: number | null;
}

export interface TaskForm {
  /** The React key. */
  key: string;
  task: SuiteTaskIn;
  /** The keys of the tasks before it. They replace `after`, because names change while they are typed. */
  before: readonly string[];
  /** The gates, by keys as well. They replace `gate`. */
  gates?: readonly GateForm[];
}

export interface SuiteForm {
  name: string;
  description: string;
  aggregation: NonNullable<SuiteIn["aggregation"]>;
  tasks: TaskForm[];
}

/** The values that a task has without saying so. */
const DEFAULTS: Readonly<Record<string, unknown>> = { category: "general", epochs: 1, weight: 1, required: true };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isNothing = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0);

/** Return an object without empty and usual values. */
function tidy<T extends object>(value: T, defaults: Readonly<Record<string, unknown>> = {}): T {
  return Object.fromEntries(Object.entries(value).filter(([name, one]) => !isNothing(one) && one !== defaults[name])) as T;
}

const tidyEvaluator = (one: TaskEvaluatorIn) => tidy(one, { ...DEFAULTS, name: "" });

/** Return a task with what it says, and without the values that it has anyway. */
export function tidyTask(task: SuiteTaskIn): SuiteTaskIn {
  const { sample, params, evaluators } = task;
  return tidy(
    {
      ...task,
      source: tidy(task.source),
      ...(sample && { sample: tidy(sample, { strategy: "random" }) }),
      ...(params && { params: tidy(params, { system_prompt: "" }) }),
      ...(evaluators && { evaluators: evaluators.map(tidyEvaluator) }),
    },
    DEFAULTS,
  );
}

export function formOf(suite: SuiteIn): SuiteForm {
  const keys = new Map(suite.tasks.map(({ name }) => [name, uniqueKey()]));
  return {
    name: suite.name,
    description: suite.description ?? "",
    aggregation: suite.aggregation ?? "mean",
    tasks: suite.tasks.map((task) => ({ key: keys.get(task.name)!, task: tidyTask(task), before: (task.after ?? []).flatMap((name) => keys.get(name) ?? []), gates: (task.gate ?? []).flatMap(({ task: name, min_score: least }) => (keys.has(name) ? [{ key: keys.get(name)!, least }] : [])) })),
  };
}

export const emptySuite = (): SuiteForm => ({ name: "", description: "", aggregation: "mean", tasks: [newTask([])] });

/** Return a task whose name is still free. */
export function newTask(others: readonly TaskForm[]): TaskForm {
  const taken = new Set(others.map(({ task }) => task.name));
  let number = others.length + 1;
  while (taken.has(`task-${number}`)) number += 1;
  return { key: uniqueKey(), task: { name: `task-${number}`, source: {} }, before: [] };
}

/** Return a copy that asks other cases, because cases belong to one task of a suite. */
export function copyOf(one: TaskForm, others: readonly TaskForm[]): TaskForm {
  const { key, task } = newTask(others);
  return { ...one, key, task: { ...one.task, name: task.name, source: {} } };
}

/** Return the tasks with the names of those before them. */
export function namedTasks(tasks: readonly TaskForm[]): SuiteTaskIn[] {
  const names = new Map(tasks.map(({ key, task }) => [key, task.name.trim()]));
  return tasks.map(({ task, before, gates = [] }) => ({
    ...task,
    name: task.name.trim(),
    after: before.flatMap((key) => names.get(key) ?? []),
    gate: gates.flatMap(({ key, least }) => (names.has(key) && least !== null ? [{ task: names.get(key)!, min_score: least }] : [])),
  }));
}

/** Return the names of the tasks before each task, by order or by a gate. */
export const orderOf = (tasks: readonly SuiteTaskIn[]) => tasks.map(({ name, after = [], gate = [] }) => ({ name, after: [...new Set([...after, ...gate.map((one) => one.task)])] }));

export const toSuite = ({ name, description, aggregation, tasks }: SuiteForm): SuiteIn => ({
  name: name.trim(),
  ...(description.trim() !== "" && { description: description.trim() }),
  aggregation,
  tasks: namedTasks(tasks).map(tidyTask),
});

const hasSource = ({ source }: SuiteTaskIn) => Boolean(source.dataset || source.collection || source.dataset_version_id || source.collection_id);

/** Return the missing fields, keyed by the path of the field that shows the message. */
export function missing({ name, tasks }: SuiteForm): Record<string, string> {
  const problems: Record<string, string> = {};
  if (name.trim() === "") problems.name = "Name the suite.";
  if (tasks.length === 0) problems.tasks = "A suite needs a task.";
  for (const [index, { task, gates }] of tasks.entries()) {
    if (task.name.trim() === "") problems[`tasks.${index}.name`] = `Name task ${index + 1}.`;
    if (gates?.some(({ least }) => least === null)) problems[`tasks.${index}.gate`] = "Give each gate the lowest score that passes, from 0 to 1.";
    if (!hasSource(task)) problems[`tasks.${index}.source`] = `Choose the cases of ${task.name.trim() || `task ${index + 1}`}.`;
  }
  return problems;
}

/** Return what contradicts itself: equal names or cases, and tasks that wait for each other. The key is the path of the field. */
export function contradictions({ tasks }: SuiteForm): Record<string, string> {
  const problems: Record<string, string> = {};
  const names = tasks.map(({ task }) => task.name.trim());
  for (const [index, name] of names.entries()) {
    if (name !== "" && names.indexOf(name) < index) problems[`tasks.${index}.name`] = `Task ${names.indexOf(name) + 1} has this name, too.`;
  }
  const sources = tasks.map(({ task: { source } }) => (source.collection ? `collection ${source.collection}` : source.dataset ? `dataset ${source.dataset} ${source.version ?? ""}` : null));
  for (const [index, source] of sources.entries()) {
    const earlier = sources.indexOf(source);
    if (source !== null && earlier < index) problems[`tasks.${index}.source`] = `${names[earlier] || `Task ${earlier + 1}`} has the same cases. In the score of a suite, each case counts once.`;
  }
  if (Object.keys(problems).length > 0) return problems;
  const cycle = cycleOf(orderOf(namedTasks(tasks)));
  for (const name of new Set(cycle)) problems[`tasks.${names.indexOf(name)}.after`] = `The tasks wait for each other: ${cycle!.join(" → ")}.`;
  return problems;
}
