/** The view of the tasks, kept in the URL so that it survives Back, reload and a shared link. */

import { useCallback, useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { MOST_PER_PAGE, TASKS_PER_PAGE, type TaskFilter, type TaskSort } from "@/api/tasks";

const SORTS: readonly TaskSort[] = ["task_id", "-task_id", "category", "-category", "created_at", "-created_at", "updated_at", "-updated_at"];
/** The URL parameter of each part of the view. */
const NAMES = { q: "q", category: "category", subcategory: "subcategory", collectionId: "collection" } as const;

export type SortedBy = "task_id" | "category" | "updated_at";
export type ShownFilter = Pick<TaskFilter, keyof typeof NAMES>;

export function readFilter(search: URLSearchParams): ShownFilter {
  const entries = Object.entries(NAMES).flatMap(([key, name]) => (search.get(name) ? [[key, search.get(name)]] : []));
  return Object.fromEntries(entries) as ShownFilter;
}

export function readSort(search: URLSearchParams): TaskSort | undefined {
  return SORTS.find((one) => one === search.get("sort"));
}

/** Return the next sorting after a click: ascending, descending, none. */
export function nextSort(now: TaskSort | undefined, column: SortedBy): TaskSort | undefined {
  if (now === column) return `-${column}`;
  return now === `-${column}` ? undefined : column;
}

/** A changed view starts with its first rows. */
export function writeView(search: URLSearchParams, change: Partial<Record<keyof ShownFilter, string | null>> & { sort?: TaskSort | null }): URLSearchParams {
  const next = new URLSearchParams(search);
  const set = (name: string, value: string | null | undefined) => (value ? next.set(name, value) : next.delete(name));
  for (const [key, name] of Object.entries(NAMES)) if (key in change) set(name, change[key as keyof ShownFilter]);
  if ("sort" in change) set("sort", change.sort);
  if ("category" in change && !("subcategory" in change)) next.delete("subcategory");
  next.delete("rows");
  return next;
}

/** Return the number of rows that were loaded before a reload, in full pages. */
export function readRows(search: URLSearchParams): number {
  const rows = Math.ceil(Number(search.get("rows")) / TASKS_PER_PAGE) * TASKS_PER_PAGE;
  return rows > TASKS_PER_PAGE ? Math.min(rows, MOST_PER_PAGE) : TASKS_PER_PAGE;
}

export function useTaskView() {
  const [search, setSearch] = useSearchParams();
  const filter = useMemo(() => readFilter(search), [search]);
  const sort = readSort(search);
  // The number of rows applies to the initial view only.
  const key = JSON.stringify([filter, sort]);
  const [opened] = useState(() => ({ key, rows: readRows(search) }));
  const change = useCallback(
    (part: Parameters<typeof writeView>[1]) => setSearch((now) => writeView(now, part), { replace: true, preventScrollReset: true }),
    [setSearch],
  );
  const remember = useCallback(
    (rows: number) =>
      setSearch(
        (now) => {
          const next = new URLSearchParams(now);
          next.set("rows", String(rows));
          return next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearch],
  );
  return { filter, sort, first: opened.key === key ? opened.rows : TASKS_PER_PAGE, change, remember };
}
