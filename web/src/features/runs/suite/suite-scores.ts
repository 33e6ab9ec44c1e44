/** Words and groups of the scores of a suite. */

import type { SuiteOfRun, TaskGateOut, TaskState } from "@/api/generated/orchestrator";
import { harmless } from "@/lib/plain-text";

export const AGGREGATION_LABELS: Record<SuiteOfRun["aggregation"], string> = {
  mean: "Each task counts the same",
  weighted: "Weighted by task",
  macro: "Each category counts the same",
};

export const TASK_STATES: Record<TaskState, string> = { WAITING: "Waiting", RUNNING: "Running", COMPLETED: "Completed", FAILED: "Failed", SKIPPED: "Skipped" };

/** Return what a gate of a task waits for, or the score with which it was passed. */
export const gateText = ({ task, min_score: least, status, score }: TaskGateOut) =>
  status === "OPEN" ? `Waits until ${harmless(task)} has ${least}` : `Asked, because ${harmless(task)} has ${score === null ? "no score" : Number(score.toPrecision(3))}, at least ${least}`;

/** Return the text as a sentence: with a capital letter and a full stop. */
export const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/** Return the categories in the order of the suite's tasks, with the names of their tasks, those without a result among them. */
export function categoriesOf({ tasks, targets, left_out: leftOut }: Pick<SuiteOfRun, "tasks" | "targets" | "left_out">): { category: string; tasks: string[] }[] {
  const groups = new Map<string, string[]>();
  const add = (category: string, task: string) => {
    const names = groups.get(category) ?? [];
    if (!names.includes(task)) groups.set(category, [...names, task]);
  };
  for (const one of tasks) add(one.category, one.name);
  for (const target of targets) for (const one of target.tasks) add(one.category, one.task);
  const known = new Set([...groups.values()].flat());
  for (const name of leftOut) if (!known.has(name)) add("Left out", name);
  return [...groups].map(([category, names]) => ({ category, tasks: names }));
}
