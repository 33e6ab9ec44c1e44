/** Failed items by their cause. */

import type { ItemRow, RunPhase } from "@/api/generated/orchestrator";

export interface Cause {
  key: string;
  phase: RunPhase;
  kind: string;
  ids: string[];
  /** Labels of the targets it befell. */
  targets: string[];
  /** What the first of them said. */
  message: string;
}

/** The most frequent cause first. */
export function causesOf(rows: Iterable<ItemRow>): Cause[] {
  const causes = new Map<string, Cause>();
  for (const row of rows) {
    if (row.status !== "FAILED" || !row.failure) continue;
    const { phase, kind, message } = row.failure;
    const key = `${phase} ${kind}`;
    const cause = causes.get(key) ?? { key, phase, kind, ids: [], targets: [], message };
    causes.set(key, cause);
    cause.ids.push(row.id);
    if (!cause.targets.includes(row.target_label)) cause.targets.push(row.target_label);
  }
  return [...causes.values()].toSorted((a, b) => b.ids.length - a.ids.length);
}
