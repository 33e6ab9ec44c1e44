/** Scores by task or category and target, from the rows that the page has. */

import type { ItemRow } from "@/api/generated/orchestrator";
import { bySpread, spreadOf } from "@/components/charts/heat";

export interface HeatCell {
  /** The mean of the normalised scores; null without scores. */
  mean: number | null;
  scored: number;
  failed: number;
  items: number;
}

export interface HeatRow {
  /** The task's id, or the category. */
  name: string;
  category: string;
  cells: ReadonlyMap<string, HeatCell>;
  /** The distance between the highest and the lowest mean; null with fewer than two. */
  spread: number | null;
}

interface Sum extends HeatCell {
  sum: number;
}

/** Return a row per task or category, the one on which the targets disagree most first. */
export function heatRows(rows: Iterable<ItemRow>, by: "task_id" | "category"): HeatRow[] {
  const groups = new Map<string, { category: string; sums: Map<string, Sum> }>();
  for (const row of rows) {
    const group = groups.get(row[by]) ?? { category: row.category, sums: new Map<string, Sum>() };
    groups.set(row[by], group);
    const cell = group.sums.get(row.target_id) ?? { mean: null, scored: 0, failed: 0, items: 0, sum: 0 };
    group.sums.set(row.target_id, cell);
    cell.items += 1;
    if (row.status === "FAILED") cell.failed += 1;
    if (row.score_normalised == null) continue;
    cell.scored += 1;
    cell.sum += row.score_normalised;
    cell.mean = cell.sum / cell.scored;
  }
  return [...groups].map(([name, { category, sums }]): HeatRow => ({ name, category, cells: sums, spread: spreadOf([...sums.values()].map((one) => one.mean)) })).toSorted(bySpread);
}
