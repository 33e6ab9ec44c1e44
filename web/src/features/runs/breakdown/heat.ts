/** Scores by task and target, from the rows that the page has. */

import type { ItemRow } from "@/api/generated/orchestrator";

export interface HeatCell {
  /** The mean of the normalised scores; null without scores. */
  mean: number | null;
  scored: number;
  failed: number;
  items: number;
}

export interface HeatRow {
  taskId: string;
  category: string;
  cells: ReadonlyMap<string, HeatCell>;
  /** The mean over its targets, used for sorting. */
  mean: number | null;
}

interface Sum extends HeatCell {
  sum: number;
}

export function heatRows(rows: Iterable<ItemRow>): HeatRow[] {
  const tasks = new Map<string, { category: string; sums: Map<string, Sum> }>();
  for (const row of rows) {
    const task = tasks.get(row.task_id) ?? { category: row.category, sums: new Map<string, Sum>() };
    tasks.set(row.task_id, task);
    const cell = task.sums.get(row.target_id) ?? { mean: null, scored: 0, failed: 0, items: 0, sum: 0 };
    task.sums.set(row.target_id, cell);
    cell.items += 1;
    if (row.status === "FAILED") cell.failed += 1;
    if (row.score_normalised == null) continue;
    cell.scored += 1;
    cell.sum += row.score_normalised;
    cell.mean = cell.sum / cell.scored;
  }
  const tableRows = [...tasks].map(([taskId, { category, sums }]): HeatRow => {
    const means = [...sums.values()].flatMap((one) => one.mean ?? []);
    return { taskId, category, cells: sums, mean: means.length === 0 ? null : means.reduce((sum, one) => sum + one, 0) / means.length };
  });
  return tableRows.toSorted((a, b) => (a.mean ?? 2) - (b.mean ?? 2) || a.taskId.localeCompare(b.taskId));
}
