/** The URL state of a comparison: its columns and the filter of its cases, named as in the API. */

import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { CaseQuery } from "@/api/comparisons";
import type { CompareBenchmarks, Show } from "@/api/generated/orchestrator";
import { columnParam, MOST_COLUMNS, type ColumnRef } from "@/lib/compare-link";
import { writeOne, writeSet } from "@/lib/url-state";

export const SHOWS = ["all", "differing", "better", "worse", "equal", "missing"] as const satisfies readonly Show[];
export type CaseSort = NonNullable<CaseQuery["sort"]>;
export const SORTS = ["position", "delta", "-delta"] as const satisfies readonly CaseSort[];

export interface CompareView {
  columns: readonly ColumnRef[];
  baseline: number;
  /** The column that `show` and `sort` apply to; null for all but the baseline. */
  of: number | null;
  show: Show;
  sort: CaseSort;
  categories: readonly string[];
  q: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function readView(search: URLSearchParams): CompareView {
  const given = [...new Set(search.getAll("column"))].map((one) => one.split(":"));
  const columns = given
    .filter(([runId = "", targetId = "", ...rest]) => UUID.test(runId) && UUID.test(targetId) && rest.length === 0)
    .slice(0, MOST_COLUMNS)
    .map(([runId = "", targetId = ""]) => ({ runId, targetId }));
  const index = (name: string) => {
    const value = search.get(name);
    return value !== null && /^\d$/.test(value) && Number(value) < columns.length ? Number(value) : null;
  };
  const baseline = index("baseline") ?? 0;
  const of = index("of");
  return {
    columns,
    baseline,
    of: of === baseline ? null : of,
    show: SHOWS.find((one) => one === search.get("show")) ?? "all",
    sort: SORTS.find((one) => one === search.get("sort")) ?? "position",
    categories: search.getAll("category"),
    q: search.get("q") ?? "",
  };
}

/** A gate: one metric and its margin. */
export interface GateChoice {
  metric: string;
  margin: number;
  /** Apply the gate even if it can hardly decide. */
  force: boolean;
}

export function readGate(search: URLSearchParams): GateChoice | null {
  const metric = search.get("gate");
  const margin = Number(search.get("margin"));
  return metric && margin > 0 && Number.isFinite(margin) ? { metric, margin, force: search.get("force") === "1" } : null;
}

/** The gate in the URL, and how it is set. */
export function useGateView() {
  const [search, setSearch] = useSearchParams();
  const key = JSON.stringify(readGate(search));
  const gate = useMemo(() => JSON.parse(key) as GateChoice | null, [key]);
  const setGate = useCallback(
    (next: GateChoice | null) =>
      setSearch((now) => {
        const named = writeOne(writeOne(now, "gate", next?.metric ?? null), "margin", next ? String(next.margin) : null);
        return writeOne(named, "force", next?.force ? "1" : null);
      }, QUIET),
    [setSearch],
  );
  return { gate, setGate };
}

/** Return the columns in the form of the API. */
export function askedOf({ columns, baseline }: CompareView): CompareBenchmarks {
  return { columns: columns.map((one) => ({ run_id: one.runId, target_id: one.targetId })), baseline };
}

/** The request for the cases of a view. */
export function caseQuery(view: CompareView): CaseQuery {
  return {
    column: view.columns.map(columnParam),
    baseline: view.baseline,
    of: view.of,
    show: view.show,
    sort: view.sort,
    category: [...view.categories],
    q: view.q || null,
  };
}

/** The same object as long as the view is the same. */
export function useCompareView(): CompareView {
  const [search] = useSearchParams();
  const key = JSON.stringify(readView(search));
  return useMemo(() => JSON.parse(key) as CompareView, [key]);
}

const QUIET = { replace: true, preventScrollReset: true } as const;
const CASE_FILTERS = ["show", "of", "category", "q"] as const;

/** Choose other columns and drop the parts of the view that refer to columns by position. */
function withColumns(search: URLSearchParams, columns: readonly ColumnRef[], baseline: number): URLSearchParams {
  let next = writeSet(search, "column", columns.map(columnParam));
  for (const name of ["run", "pair", "target", "of", "case"]) next = writeOne(next, name, null);
  return writeOne(next, "baseline", baseline > 0 ? String(baseline) : null);
}

/** Write the view into the URL. Back undoes a change of columns, but not of filters. */
export function useViewSetters() {
  const [, setSearch] = useSearchParams();
  const setColumns = useCallback(
    (columns: readonly ColumnRef[], baseline = 0, { replace = false } = {}) =>
      setSearch((now) => withColumns(now, columns, baseline), { replace, preventScrollReset: true }),
    [setSearch],
  );
  const set = useCallback((name: string, values: readonly string[]) => setSearch((now) => writeSet(now, name, values), QUIET), [setSearch]);
  const show = useCallback(
    (wanted: Show, of: number | null) =>
      setSearch((now) => writeOne(writeOne(now, "show", wanted === "all" ? null : wanted), "of", of === null ? null : String(of)), QUIET),
    [setSearch],
  );
  const clear = useCallback(() => setSearch((now) => CASE_FILTERS.reduce((search: URLSearchParams, name) => writeOne(search, name, null), now), QUIET), [setSearch]);
  return { setColumns, set, show, clear };
}
