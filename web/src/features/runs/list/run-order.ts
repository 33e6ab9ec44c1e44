/** The sorting and the groups of the list of runs, which live in the URL. */

import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { ListRunGroupsApiArg, ListRunsApiArg } from "@/api/generated/orchestrator";
import { writeOne } from "@/lib/url-state";

export type SortKey = NonNullable<ListRunsApiArg["sort"]>;
export type Direction = NonNullable<ListRunsApiArg["order"]>;
export type Grouped = ListRunGroupsApiArg["by"];

/** Each sort key with its words, and the direction that is wanted first. */
export const SORTS: readonly { key: SortKey; label: string; first: Direction }[] = [
  { key: "created_at", label: "Created", first: "desc" },
  { key: "finished_at", label: "Finished", first: "desc" },
  { key: "name", label: "Name", first: "asc" },
  { key: "status", label: "Status", first: "asc" },
  { key: "best_score", label: "Best score", first: "desc" },
  { key: "cost_usd", label: "Cost", first: "desc" },
  { key: "took_s", label: "Duration", first: "desc" },
  { key: "cases", label: "Cases", first: "desc" },
  { key: "failed", label: "Failures", first: "desc" },
];

export const GROUPS: readonly { by: Grouped; label: string; none: string }[] = [
  { by: "tag", label: "Tag", none: "Without a tag" },
  { by: "suite", label: "Suite", none: "Without a suite" },
  { by: "day", label: "Day", none: "" },
];

export interface RunOrder {
  sort: SortKey;
  order: Direction;
  group: Grouped | null;
}

export function readOrder(search: URLSearchParams): RunOrder {
  const sort = SORTS.find((one) => one.key === search.get("sort")) ?? SORTS[0]!;
  const order = search.get("order");
  return {
    sort: sort.key,
    order: order === "asc" || order === "desc" ? order : sort.first,
    group: GROUPS.find((one) => one.by === search.get("group"))?.by ?? null,
  };
}

/** Write an order: what is usual is left out of the URL. */
export function writeOrder(search: URLSearchParams, sort: SortKey, order: Direction): URLSearchParams {
  const first = SORTS.find((one) => one.key === sort)!.first;
  return writeOne(writeOne(search, "sort", sort === "created_at" ? null : sort), "order", order === first ? null : order);
}

/** The next direction of a column: the one that is wanted first, then the other. */
export function toggled(now: Pick<RunOrder, "sort" | "order">, sort: SortKey): Direction {
  if (now.sort !== sort) return SORTS.find((one) => one.key === sort)!.first;
  return now.order === "asc" ? "desc" : "asc";
}

export function useRunOrder() {
  const [search, setSearch] = useSearchParams();
  const now = useMemo(() => readOrder(search), [search]);
  return {
    ...now,
    sortBy: (sort: SortKey, order: Direction) => setSearch((then) => writeOrder(then, sort, order), { replace: true, preventScrollReset: true }),
    groupBy: (group: Grouped | null) => setSearch((then) => writeOne(writeOne(writeOne(then, "group", group), "open", null), "shut", null), { replace: true, preventScrollReset: true }),
  };
}
