/** The state of each task of a suite's run, over all targets. */

import type { ItemRow, SuiteOfRun } from "@/api/generated/orchestrator";
import type { ChipLook } from "@/components/Chip";
import { formatPart } from "@/lib/format";

export interface TaskCounts {
  items: number;
  /** The items that something has been done about. */
  begun: number;
  /** The items that the model has answered, or that failed. Judging comes after all answers. */
  answered: number;
  completed: number;
  failed: number;
  /** The items that were not asked, because a gate failed. They count as answered. */
  skipped: number;
}

const add = (counts: Map<string, TaskCounts>, task: string, one: TaskCounts) => {
  const known = counts.get(task);
  counts.set(task, known ? { items: known.items + one.items, begun: known.begun + one.begun, answered: known.answered + one.answered, completed: known.completed + one.completed, failed: known.failed + one.failed, skipped: known.skipped + one.skipped } : one);
};

/** Count the rows of each task. */
export function countRows(rows: Iterable<Pick<ItemRow, "status" | "suite_task">>): Map<string, TaskCounts> {
  const counts = new Map<string, TaskCounts>();
  for (const { status, suite_task: task } of rows) {
    if (task == null) continue;
    const known = counts.get(task) ?? { items: 0, begun: 0, answered: 0, completed: 0, failed: 0, skipped: 0 };
    known.items += 1;
    if (status !== "NEW") known.begun += 1;
    if (status !== "NEW" && status !== "IN_PROGRESS") known.answered += 1;
    if (status === "COMPLETED") known.completed += 1;
    if (status === "FAILED") known.failed += 1;
    if (status === "SKIPPED") known.skipped += 1;
    counts.set(task, known);
  }
  return counts;
}

/** Return the counts of the server's last response, which are some seconds old during a run. */
export function countResults({ targets }: Pick<SuiteOfRun, "targets">): Map<string, TaskCounts> {
  const counts = new Map<string, TaskCounts>();
  for (const { tasks } of targets) {
    for (const { task, state, items, completed, failed, skipped } of tasks) {
      const over = completed + failed + skipped;
      add(counts, task, { items, begun: state === "WAITING" ? 0 : Math.max(1, over), answered: over, completed, failed, skipped });
    }
  }
  return counts;
}

export function stateLook(counts: TaskCounts | undefined): ChipLook {
  if (!counts || counts.begun === 0) return { label: "Waiting", tone: "neutral", icon: "clock" };
  const { items, answered, completed, failed, skipped } = counts;
  if (answered < items) return { label: `Running, ${formatPart(answered, items)}`, tone: "info", icon: "play" };
  const over = completed + failed + skipped;
  if (over < items) return { label: `Judging, ${formatPart(over, items)}`, tone: "info", icon: "half" };
  if (skipped === items) return { label: "Skipped", tone: "neutral", icon: "ban" };
  if (failed === items) return { label: "Failed", tone: "bad", icon: "cross" };
  return failed > 0 ? { label: `Done, ${failed} failed`, tone: "warn", icon: "alert" } : { label: "Done", tone: "good", icon: "check" };
}
