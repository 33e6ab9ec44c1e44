/** Words for suites and their tasks. */

import type { SuiteOut, SuiteTaskIn, TaskFacts, TaskGate } from "@/api/generated/config-api";
import type { ChipLook } from "@/components/Chip";
import type { GraphTask } from "@/components/TaskGraph";
import { plural, withKind } from "@/lib/format";

export const statusLook = (status: SuiteOut["status"]): ChipLook =>
  status === "PUBLISHED" ? { label: "Published", tone: "good", icon: "check" } : { label: "Draft", tone: "neutral", icon: "pencil" };

export const AGGREGATIONS: Record<SuiteOut["aggregation"], [string, string]> = {
  mean: ["Mean", "each task counts the same"],
  weighted: ["Weighted mean", "by the tasks' weights"],
  macro: ["Macro mean", "each category counts the same"],
};

/** A task as it was defined, with what the server knows about it. */
export interface SuiteTask {
  /** The place in the suite's definition, from 0. */
  index: number;
  defined: SuiteTaskIn;
  facts: TaskFacts | undefined;
}

export function tasksOf(suite: Pick<SuiteOut, "definition" | "tasks">): SuiteTask[] {
  const facts = new Map(suite.tasks.map((one) => [one.name, one]));
  return suite.definition.tasks.map((defined, index) => ({ index, defined, facts: facts.get(defined.name) }));
}

export const taskAnchor = (index: number) => `task-${index + 1}`;

/** Return the tasks as the graph draws them. A card leads to the task's definition below. */
export const graphOf = (tasks: readonly SuiteTask[]): GraphTask[] =>
  tasks.map((one) => ({
    name: one.defined.name,
    level: one.facts?.level ?? 0,
    after: beforeTask(one),
    gates: (one.facts?.gate ?? []).map((gate) => ({ task: gate.task, text: gateText(gate) })),
    detail: casesText(one),
    to: { hash: taskAnchor(one.index) },
    // The hash alone moves the page, not the focus.
    onOpen: () => document.getElementById(taskAnchor(one.index))?.focus(),
  }));

/** Return the number of cases of all tasks, or `null` while that of one is unknown. */
export function caseCount({ tasks }: Pick<SuiteOut, "tasks">): number | null {
  const counts = tasks.map((one) => one.cases);
  return counts.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}

export const casesText = ({ facts }: SuiteTask) => (facts?.cases == null ? "Unknown number of cases" : plural(facts.cases, "case"));

export function sourceText({ facts, defined }: SuiteTask): string {
  const { dataset, collection } = defined.source;
  const name = facts?.source_name ?? dataset ?? collection ?? "";
  if (facts ? facts.collection_id !== null : collection != null) return withKind("Collection", name);
  const version = facts?.source_version ?? defined.source.version;
  return version == null ? withKind("Dataset", name) : `${withKind("Dataset", name)}, version ${version}`;
}

export function sampleText({ sample }: SuiteTaskIn): string {
  if (!sample) return "All cases";
  const how = sample.strategy === "stratified" ? "by category" : "at random";
  return `${plural(sample.size, "case")} ${how}${sample.seed == null ? "" : `, seed ${sample.seed}`}`;
}

export const gateText = ({ task, min_score: least }: TaskGate) => `only if ${task} scores at least ${least}`;

/** Return the names of the tasks that are asked before, by order or by a gate. */
export const beforeTask = ({ defined, facts }: SuiteTask) => [...new Set([...(defined.after ?? []), ...(facts?.gate ?? []).map((gate) => gate.task)])];

export function evaluatorTexts({ evaluators }: SuiteTaskIn): string[] {
  if (!evaluators?.length) return ["The checks of each case, or the rubric"];
  return evaluators.map((one) => {
    const details = [
      ...(one.weight === undefined || one.weight === 1 ? [] : [`weight ${one.weight}`]),
      ...(one.pass_threshold == null ? [] : [`passes from ${one.pass_threshold}`]),
    ];
    const name = one.name && one.name !== one.kind ? `${one.name}: ${one.kind}` : one.kind;
    return details.length > 0 ? `${name} (${details.join(", ")})` : name;
  });
}

export function paramsText({ params }: SuiteTaskIn): string {
  const given = Object.entries(params ?? {}).filter(([, value]) => value != null);
  return given.map(([name, value]) => (name === "response_schema" ? "answers as JSON by a schema" : `${name.replaceAll("_", " ")} ${Array.isArray(value) ? value.join(", ") : String(value)}`)).join("; ");
}
