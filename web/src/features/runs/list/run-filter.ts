/** The URL state of the list of runs. */

import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { RunFilter } from "@/api/runs";
import { readSet } from "@/lib/url-state";
import { RUN_STATUSES } from "../run-words";
import { readOrder } from "./run-order";

export const RUN_FILTER_PARAMS = ["status", "q", "tag", "provider", "suite", "from", "to"] as const;

/** Return local midnight of a date field's day; undefined for anything else. */
function dayStart(day: string | null, plusDays = 0): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? "");
  if (!match) return undefined;
  const date = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + plusDays);
  return Number.isNaN(date.valueOf()) ? undefined : date.toISOString();
}

export function readRunFilter(search: URLSearchParams): RunFilter {
  const { sort, order } = readOrder(search);
  return {
    ...(search.has("sort") || search.has("order") ? { sort, order } : {}),
    status: readSet(search, "status", RUN_STATUSES),
    tag: search.getAll("tag"),
    q: search.get("q") || undefined,
    providerId: search.getAll("provider"),
    suite: search.get("suite") || undefined,
    createdFrom: dayStart(search.get("from")),
    // The last day is included.
    createdBefore: dayStart(search.get("to"), 1),
  };
}

/** The same object as long as the filter is the same. */
export function useRunFilter(): { filter: RunFilter; any: boolean } {
  const [search] = useSearchParams();
  const key = JSON.stringify(readRunFilter(search));
  const any = RUN_FILTER_PARAMS.some((name) => search.has(name));
  return useMemo(() => ({ filter: JSON.parse(key) as RunFilter, any }), [key, any]);
}
