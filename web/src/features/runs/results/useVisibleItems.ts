import { useMemo } from "react";
import type { ItemStatus } from "@/api/generated/orchestrator";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";

/** Ids of the rows to show, by position. Follows changes of state once a second: a row that leaves
 * its filter at once would slip away under the reader's eyes. */
export function useVisibleItems(store: RunStore, states: readonly ItemStatus[]): readonly string[] {
  const index = useValue(store.items.index);
  return useMemo(() => {
    if (states.length === 0) return index.ids;
    return index.ids.filter((id) => {
      const row = store.items.rows.get(id);
      return row !== undefined && states.includes(row.status);
    });
  }, [index, states, store]);
}
