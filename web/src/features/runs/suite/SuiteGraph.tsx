import { useMemo } from "react";
import type { SuiteOfRun } from "@/api/generated/orchestrator";
import { TaskGraph } from "@/components/TaskGraph";
import { plural } from "@/lib/format";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { useItemsHref } from "../results/item-filter";
import { countResults, countRows, stateLook } from "./task-states";

/** The tasks by level with their states. They follow the rows of the run; a card leads to the items of its task. */
export function SuiteGraph({ suite, items, store }: { suite: SuiteOfRun; items: number; store: RunStore }) {
  const itemsHref = useItemsHref();
  // The index changes once a second while rows change.
  const index = useValue(store.items.index);
  const counts = useMemo(() => (index.ids.length >= items ? countRows(index.ids.flatMap((id) => store.items.rows.get(id) ?? [])) : countResults(suite)), [index, items, store, suite]);
  const tasks = suite.tasks.map(({ name, level, after, gate, cases, epochs }) => ({
    name,
    level,
    after: [...new Set([...after, ...gate.map((one) => one.task)])],
    gates: gate.map(({ task, min_score: least }) => ({ task, text: `only if ${task} scores at least ${least}` })),
    detail: epochs > 1 ? `${plural(cases, "case")}, ${epochs} times` : plural(cases, "case"),
    state: stateLook(counts.get(name)),
    to: itemsHref({ suite_task: name }),
  }));
  return <TaskGraph tasks={tasks} />;
}
