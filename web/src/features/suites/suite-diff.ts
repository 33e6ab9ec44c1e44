/** Compare two versions of a suite. */

import type { SuiteIn, SuiteTaskIn } from "@/api/generated/config-api";
import { toYaml } from "@/lib/yaml";
import { tidyTask } from "./edit/suite-form";

export interface Change {
  field: string;
  /** The value as YAML; empty if it was not set. */
  before: string;
  after: string;
}

export interface TaskChange {
  name: string;
  kind: "added" | "removed" | "changed";
  changes: Change[];
}

export interface SuiteDiff {
  suite: Change[];
  tasks: TaskChange[];
}

const written = (value: unknown) => (value == null || value === "" ? "" : toYaml(value).trimEnd());

function changesOf(before: object, after: object): Change[] {
  const [one, other] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((field) => ({ field: field.replaceAll("_", " "), before: written(one.get(field)), after: written(other.get(field)) }))
    .filter((change) => change.before !== change.after);
}

/** Compare two versions. Tasks are the same if they have the same name; the order of tasks is no change. */
export function suiteDiff(before: SuiteIn, after: SuiteIn): SuiteDiff {
  const { tasks: oldTasks, ...old } = before;
  const { tasks: newTasks, ...now } = after;
  const known = new Map(oldTasks.map((task) => [task.name, task]));
  const kept = new Set(newTasks.map((task) => task.name));
  const compared = (task: SuiteTaskIn): TaskChange => {
    const earlier = known.get(task.name);
    return { name: task.name, kind: earlier ? "changed" : "added", changes: changesOf(earlier ? tidyTask(earlier) : {}, tidyTask(task)) };
  };
  const tasks = [
    ...newTasks.map(compared).filter(({ kind, changes }) => kind !== "changed" || changes.length > 0),
    ...oldTasks.filter(({ name }) => !kept.has(name)).map((task): TaskChange => ({ name: task.name, kind: "removed", changes: changesOf(tidyTask(task), {}) })),
  ];
  return { suite: changesOf({ ...old, aggregation: old.aggregation ?? "mean" }, { ...now, aggregation: now.aggregation ?? "mean" }), tasks };
}
