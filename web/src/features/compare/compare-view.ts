/** The URL state of a comparison: its columns and the filter of its cases, named as in the API. */

import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { CaseQuery } from "@/api/comparisons";
import type { CompareBenchmarks, Show } from "@/api/generated/orchestrator";
import { columnParam, MOST_COLUMNS, type ColumnRef } from "@/lib/compare-link";
import { writeOne, writeSet } from "@/lib/url-state";
import { isUuid } from "@/lib/uuid";

export const SHOWS = ["all", "differing", "better", "worse", "equal", "missing", "changed", "gained", "lost"] as const satisfies readonly Show[];
/** The orders to choose from. A review has an order of its own, `group`. */
export const SORTS = ["position", "delta", "-delta"] as const satisfies readonly CaseQuery["sort"][];

/** The views of the cases, in the lower part of the page. */
export const LOOKS = ["review", "table", "categories", "scores"] as const;
export type Look = (typeof LOOKS)[number];

export interface CompareView {
  columns: readonly ColumnRef[];
  baseline: number;
  /** The column that `show` and `sort` apply to; null for all but the baseline. */
  of: number | null;
  show: Show;
  sort: (typeof SORTS)[number];
  categories: readonly string[];
  q: string;
  /** The cases of one mark of the score picture, as `<baseline bin>:<bin of the other>`. */
  bin: string | null;
}

export function readView(search: URLSearchParams): CompareView {
  const given = [...new Set(search.getAll("column"))].map((one) => one.split(":"));
  const columns = given
    .filter(([runId = "", targetId = "", ...rest]) => isUuid(runId) && isUuid(targetId) && rest.length === 0)
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
    bin: /^(?:[0-9]|1[0-9]|20):(?:[0-9]|1[0-9]|20)$/.exec(search.get("bin") ?? "")?.[0] ?? null,
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
    bin: view.bin,
  };
}

/** The column that is reviewed against the baseline; null if there are several. */
export function reviewed({ columns, baseline, of }: CompareView): number | null {
  return of ?? (columns.length === 2 ? 1 - baseline : null);
}

/** The chosen look. Several columns have no review, unless one of them is chosen. */
export function useLook(view: CompareView): [Look, (look: Look) => void] {
  const [search, setSearch] = useSearchParams();
  const usual: Look = reviewed(view) === null ? "table" : "review";
  const found = LOOKS.find((one) => one === search.get("look")) ?? usual;
  const set = useCallback((look: Look) => setSearch((now) => writeOne(now, "look", look === usual ? null : look), QUIET), [setSearch, usual]);
  return [found === "review" ? usual : found, set];
}

/** The same object as long as the view is the same. */
export function useCompareView(): CompareView {
  const [search] = useSearchParams();
  const key = JSON.stringify(readView(search));
  return useMemo(() => JSON.parse(key) as CompareView, [key]);
}

/** Return the search that lists these cases, of one column or of all but the baseline. */
export function showing(search: URLSearchParams, wanted: Show, of: number | null): URLSearchParams {
  return writeOne(writeOne(search, "show", wanted === "all" ? null : wanted), "of", of === null ? null : String(of));
}

const QUIET = { replace: true, preventScrollReset: true } as const;
const CASE_FILTERS = ["show", "of", "category", "q", "bin"] as const;

/** Choose other columns and drop the parts of the view that refer to columns by position. */
function withColumns(search: URLSearchParams, columns: readonly ColumnRef[], baseline: number): URLSearchParams {
  let next = writeSet(search, "column", columns.map(columnParam));
  for (const name of ["run", "pair", "target", "of", "case", "bin"]) next = writeOne(next, name, null);
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
      setSearch((now) => showing(now, wanted, of), QUIET),
    [setSearch],
  );
  const clear = useCallback(() => setSearch((now) => CASE_FILTERS.reduce((search: URLSearchParams, name) => writeOne(search, name, null), now), QUIET), [setSearch]);
  return { setColumns, set, show, clear };
}
