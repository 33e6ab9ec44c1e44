/** The URL state of the list of items: filter and order, named as in the API. */

import { useCallback, useMemo } from "react";
import { useParams, useSearchParams } from "react-router";
import type { ItemStatus, RunPhase, SortKey } from "@/api/generated/orchestrator";
import type { ItemFilter } from "@/api/results";
import type { Sorting } from "@/components/DataGrid";
import { readSet, writeSet } from "@/lib/url-state";
import { ANSWER_KINDS, ITEM_STATUSES, PHASES, type AnswerKind } from "../run-words";

const PARAMS = ["status", "target_id", "model", "category", "tag", "task_id", "suite_task", "conversation_id", "failure_kind", "failure_cause", "failure_phase", "score_min", "score_max", "overall_min", "overall_below", "time_min", "time_below", "passed", "cached", "cut", "finish_reason", "answer_kind", "q"] as const;
export type FilterParam = (typeof PARAMS)[number];
const SORT_KEYS = [
  "position", "task_id", "category", "target", "status", "score", "time_ms", "first_token_ms", "tokens_per_second", "completion_tokens", "cost_usd", "model", "prompt_tokens", "attempts", "finish_reason", "evaluator_score",
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
    timeMin: number(search, "time_min"),
    timeBelow: number(search, "time_below"),
    passed: flag(search, "passed"),
    cached: flag(search, "cached"),
    cut: flag(search, "cut"),
    finishReason: several(search, "finish_reason"),
    answerKind: kinds.length > 0 ? kinds : undefined,
    q: text(search, "q"),
  };
}

/** The order of the items. `evaluatorRevisionId` is there if and only if they are sorted by the score of an evaluator. */
export interface ItemOrder {
  sort: SortKey;
  evaluatorRevisionId?: string | undefined;
  order: "asc" | "desc";
}

const SORT_PARAMS = ["sort", "evaluator_revision_id", "order"] as const;

export function readItemOrder(search: URLSearchParams): ItemOrder {
  const named = SORT_KEYS.find((one) => one === search.get("sort")) ?? "position";
  const evaluatorRevisionId = named === "evaluator_score" ? (search.get("evaluator_revision_id") ?? undefined) : undefined;
  const sort = named === "evaluator_score" && evaluatorRevisionId === undefined ? "position" : named;
  return { sort, evaluatorRevisionId, order: search.get("order") === "desc" ? "desc" : "asc" };
}

/** Return the key of the column whose scores come from this revision of an evaluator. */
export const scoreKey = (revisionId: string) => `evaluator_score ${revisionId}`;

/** Return the key of the column that the items are sorted by. */
export const columnKey = ({ sort, evaluatorRevisionId }: ItemOrder) => (evaluatorRevisionId === undefined ? sort : scoreKey(evaluatorRevisionId));

export interface ItemView extends ItemOrder {
  filter: ItemFilter;
  /** True without filter and sorting: every item by position. */
  unfiltered: boolean;
}

/** The same object as long as the view is the same. */
export function useItemView(): ItemView {
  const [search] = useSearchParams();
  const key = JSON.stringify([readItemFilter(search), readItemOrder(search)]);
  return useMemo(() => {
    const [filter, ordered] = JSON.parse(key) as [ItemFilter, ItemOrder];
    return { filter, ...ordered, unfiltered: Object.keys(filter).length === 0 && ordered.sort === "position" && ordered.order === "asc" };
  }, [key]);
}

const QUIET = { replace: true, preventScrollReset: true } as const;

/** Return functions that write filters and sorting into the URL. */
export function useFilterSetters() {
  const [, setSearch] = useSearchParams();
  const set = useCallback((name: FilterParam, values: readonly string[]) => setSearch((now) => writeSet(now, name, values), QUIET), [setSearch]);
  const drop = useCallback((names: readonly FilterParam[]) => setSearch((now) => without(now, names), QUIET), [setSearch]);
  const clear = useCallback(() => setSearch((now) => cleared(now), QUIET), [setSearch]);
  const sortBy = useCallback((key: string) => setSearch((now) => sortedBy(now, key), QUIET), [setSearch]);
  return { set, drop, clear, sortBy };
}

/** The columns whose highest figures are read first: the slowest, the dearest. Of scores and words, the lowest are. */
const HIGHEST_FIRST: ReadonlySet<string> = new Set<SortKey>(["time_ms", "first_token_ms", "tokens_per_second", "completion_tokens", "prompt_tokens", "cost_usd", "attempts"]);

/** The first click sorts by the worst first, the second the other way round, the third removes the sorting. */
export function sortedBy(search: URLSearchParams, key: string): URLSearchParams {
  const current: Sorting | null = search.has("sort") ? { key: columnKey(readItemOrder(search)), order: readItemOrder(search).order } : null;
  const orders = HIGHEST_FIRST.has(key) ? (["desc", "asc"] as const) : (["asc", "desc"] as const);
  const order = current?.key !== key ? orders[0] : current.order === orders[0] ? orders[1] : null;
  const [sort = "", revisionId] = key.split(" ");
  const values = [order ? [sort] : [], order && revisionId ? [revisionId] : [], order === "desc" ? ["desc"] : []];
  return SORT_PARAMS.reduce((now, name, index) => writeSet(now, name, values[index] ?? []), search);
}

function without(search: URLSearchParams, names: readonly FilterParam[]): URLSearchParams {
  return names.reduce((now: URLSearchParams, name) => writeSet(now, name, []), search);
}

const cleared = (search: URLSearchParams) => without(search, PARAMS);

/** Return whether a query string filters or sorts items. */
export const isItemSearch = (search: URLSearchParams) => [...PARAMS, "sort", "cols", "rows"].some((name) => search.has(name));

export type ChosenItems = Partial<Record<FilterParam, string>>;

/** Return a function that builds the link to the filtered items of the run on screen. */
export function useItemsHref(): (chosen: ChosenItems) => string {
  const { runId = "" } = useParams();
  return useCallback((chosen: ChosenItems) => `/runs/${runId}/items?${new URLSearchParams(chosen)}`, [runId]);
}
