/** The cases among the items of a filter: items that differ in their target only are one case. */

import type { ItemRow } from "@/api/generated/orchestrator";

export interface CaseOfItems {
  key: string;
  /** The first item of the case in the order of the filter. */
  itemId: string;
}

export const caseKey = (row: Pick<ItemRow, "task_id" | "epoch">) => `${row.epoch} ${row.task_id}`;

/** Return each case once, in the order of its first item. Items whose row is not here yet are left out. */
export function casesOf(ids: readonly string[], rowOf: (id: string) => ItemRow | undefined): CaseOfItems[] {
  const cases = new Map<string, string>();
  for (const id of ids) {
    const row = rowOf(id);
    if (!row) continue;
    const key = caseKey(row);
    if (!cases.has(key)) cases.set(key, id);
  }
  return [...cases].map(([key, itemId]) => ({ key, itemId }));
}
