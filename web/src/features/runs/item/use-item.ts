/** The body of an item of a run that may go on. */

import { useEffect } from "react";
import { useGetItemQuery } from "@/api/results";
import { useEntry } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";

/** Return the item's body. It is fetched again when the status in `row`, the live row, has changed since. */
export function useItem(runId: string, store: RunStore, id: string) {
  const row = useEntry(store.items.rows, id);
  const { currentData: item, error, isError, refetch } = useGetItemQuery({ runId, itemId: id });
  const newStatus = item !== undefined && row !== undefined && row.status !== item.status ? row.status : null;
  useEffect(() => {
    if (newStatus !== null) void refetch();
  }, [newStatus, refetch]);
  return { row, item, error, isError, refetch };
}
