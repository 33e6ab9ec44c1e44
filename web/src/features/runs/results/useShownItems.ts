/**
 * Return the ids of the rows to show. Unfiltered rows in order of position come from the live store. Other filters and
 * orders are queried page by page, and again while the run is active.
 */

import { useEffect, useEffectEvent, useMemo, useRef } from "react";
import { skipToken } from "@reduxjs/toolkit/query/react";
import { useCountItemsQuery, useFoundItemsInfiniteQuery } from "@/api/results";
import { throttle, type Throttled } from "@/live/throttle";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import type { ItemView } from "./item-filter";

const AGAIN_MS = 2000;

export interface ShownItems {
  ids: readonly string[];
  /** The total number of rows; undefined until it is known. */
  total: number | undefined;
  loading: boolean;
  error: unknown;
  /** Undefined if there are no more rows or they are being fetched. */
  more: (() => void) | undefined;
  retry: () => void;
}

export function useShownItems(runId: string, store: RunStore, { filter, sort, evaluatorRevisionId, order, unfiltered }: ItemView): ShownItems {
  const index = useValue(store.items.index);
  const stillReading = useValue(store.loading) !== null;
  const query = useFoundItemsInfiniteQuery(unfiltered ? skipToken : { runId, filter, sort, evaluatorRevisionId, order });
  const count = useCountItemsQuery(unfiltered ? skipToken : { runId, ...filter });
  const pages = unfiltered ? undefined : query.data?.pages;

  // Add rows that the store lacks; rows it has are as new or newer.
  useEffect(() => {
    for (const page of pages ?? []) store.loadItems(page.items, 0);
  }, [store, pages]);

  const progress = useValue(store.progress)?.seq;
  const askAgain = useEffectEvent(async () => {
    if (!unfiltered) await Promise.all([query.refetch(), count.refetch()]);
  });
  const again = useRef<Throttled | null>(null);
  useEffect(() => {
    const throttled = throttle(() => askAgain(), AGAIN_MS);
    again.current = throttled;
    return () => throttled.cancel();
  }, []);
  const status = useValue(store.head)?.status;
  const asked = useRef({ progress, status });
  useEffect(() => {
    const before = asked.current;
    asked.current = { progress, status };
    // No event follows the end, so refetch soon.
    if (status !== before.status) again.current?.call("soon");
    else if (progress !== before.progress) again.current?.call();
  }, [progress, status]);

  const ids = useMemo(() => pages?.flatMap((page) => page.items.map((row) => row.id)), [pages]);
  if (unfiltered) return { ids: index.ids, total: stillReading ? undefined : index.ids.length, loading: stillReading, error: undefined, more: undefined, retry: nothing };
  return {
    ids: ids ?? [],
    total: count.data?.items,
    loading: query.isFetching && !query.isFetchingNextPage && !ids,
    error: query.error,
    more: query.hasNextPage && !query.isFetching ? () => void query.fetchNextPage() : undefined,
    retry: () => void query.refetch(),
  };
}

const nothing = () => undefined;
