/** The URL state of the list of items: filter and order, named as in the API. */

import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { ItemStatus, RunPhase, SortKey } from "@/api/generated/orchestrator";
import type { ItemFilter } from "@/api/results";
import type { Sorting } from "@/components/DataGrid";
import { readSet, writeSet } from "@/lib/url-state";
import { ANSWER_KINDS, ITEM_STATUSES, PHASES, type AnswerKind } from "../run-words";

const PARAMS = ["status", "target_id", "model", "category", "tag", "task_id", "suite_task", "conversation_id", "failure_kind", "failure_cause", "failure_phase", "score_min", "score_max", "overall_min", "overall_below", "passed", "cached", "cut", "finish_reason", "answer_kind", "q"] as const;
export type FilterParam = (typeof PARAMS)[number];
const SORT_KEYS = [
  "position", "task_id", "category", "target", "status", "score", "time_ms", "first_token_ms", "tokens_per_second", "completion_tokens", "cost_usd",
] as const satisfies readonly SortKey[];

const several = (search: URLSearchParams, name: FilterParam) => (search.has(name) ? search.getAll(name) : undefined);
const text = (search: URLSearchParams, name: FilterParam) => search.get(name) || undefined;

function number(search: URLSearchParams, name: FilterParam): number | undefined {
  const value = Number.parseFloat(search.get(name) ?? "");
  return Number.isFinite(value) ? value : undefined;
}

function flag(search: URLSearchParams, name: FilterParam): boolean | undefined {
  const value = search.get(name);
  return value === "true" ? true : value === "false" ? false : undefined;
}

export function readItemFilter(search: URLSearchParams): ItemFilter {
  const status: ItemStatus[] = readSet(search, "status", ITEM_STATUSES);
  const kinds: AnswerKind[] = readSet(search, "answer_kind", ANSWER_KINDS);
  const phase: RunPhase | undefined = PHASES.find((one) => one === search.get("failure_phase"));
  return {
    status: status.length > 0 ? status : undefined,
    targetId: several(search, "target_id"),
    model: several(search, "model"),
    category: several(search, "category"),
    tag: several(search, "tag"),
    taskId: text(search, "task_id"),
    suiteTask: several(search, "suite_task"),
    conversationId: text(search, "conversation_id"),
    failureKind: several(search, "failure_kind"),
    failureCause: several(search, "failure_cause"),
    failurePhase: phase,
    scoreMin: number(search, "score_min"),
    scoreMax: number(search, "score_max"),
    overallMin: number(search, "overall_min"),
    overallBelow: number(search, "overall_below"),
    passed: flag(search, "passed"),
    cached: flag(search, "cached"),
    cut: flag(search, "cut"),
    finishReason: several(search, "finish_reason"),
    answerKind: kinds.length > 0 ? kinds : undefined,
    q: text(search, "q"),
  };
}

export interface ItemView {
  filter: ItemFilter;
  sort: SortKey;
  order: "asc" | "desc";
  /** True without filter and sorting: every item by position. */
  unfiltered: boolean;
}

/** The same object as long as the view is the same. */
export function useItemView(): ItemView {
  const [search] = useSearchParams();
  const key = JSON.stringify([readItemFilter(search), SORT_KEYS.find((one) => one === search.get("sort")) ?? "position", search.get("order") === "desc" ? "desc" : "asc"]);
  return useMemo(() => {
    const [filter, sort, order] = JSON.parse(key) as [ItemFilter, SortKey, "asc" | "desc"];
    return { filter, sort, order, unfiltered: Object.keys(filter).length === 0 && sort === "position" && order === "asc" };
  }, [key]);
}

const QUIET = { replace: true, preventScrollReset: true } as const;

/** Return functions that write filters and sorting into the URL. */
export function useFilterSetters() {
  const [search, setSearch] = useSearchParams();
  const set = useCallback((name: FilterParam, values: readonly string[]) => setSearch((now) => writeSet(now, name, values), QUIET), [setSearch]);
  const drop = useCallback((names: readonly FilterParam[]) => setSearch((now) => without(now, names), QUIET), [setSearch]);
  const clear = useCallback(() => setSearch((now) => cleared(now), QUIET), [setSearch]);
  const sortBy = useCallback(
    (key: string) =>
      setSearch((now) => {
        // The first click sorts descending (best, slowest, dearest), the second ascending, the third removes the sorting.
        const current: Sorting | null = now.has("sort") ? { key: now.get("sort") ?? "", order: now.get("order") === "desc" ? "desc" : "asc" } : null;
        const order = current?.key !== key ? "desc" : current.order === "desc" ? "asc" : null;
        return writeSet(writeSet(now, "sort", order ? [key] : []), "order", order === "desc" ? ["desc"] : []);
      }, QUIET),
    [setSearch],
  );
  return { search, set, drop, clear, sortBy };
}

function without(search: URLSearchParams, names: readonly FilterParam[]): URLSearchParams {
  return names.reduce((now: URLSearchParams, name) => writeSet(now, name, []), search);
}

const cleared = (search: URLSearchParams) => without(search, PARAMS);

/** The id of the items' section, used by links to filtered items. */
export const ITEMS_ID = "items";

/** Return the link to a filtered list of items. */
export function itemsHref(search: URLSearchParams, chosen: Partial<Record<FilterParam, string>>): string {
  const next = cleared(search);
  for (const [name, value] of Object.entries(chosen)) next.append(name, value);
  return `?${next}#${ITEMS_ID}`;
}
