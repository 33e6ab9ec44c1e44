import { lazy, Suspense, useMemo, useState } from "react";
import { skipToken } from "@reduxjs/toolkit/query/react";
import type { ItemCount, ItemRow, ItemStatus, RunDetail } from "@/api/generated/orchestrator";
import { useCountItemsQuery } from "@/api/results";
import { Button } from "@/components/Button";
import type { GridColumn } from "@/components/DataGrid";
import { FilterChips } from "@/components/FilterChips";
import { Icon } from "@/components/Icon";
import { Skeleton } from "@/components/Message";
import { SearchField } from "@/components/SearchField";
import { formatCount } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { isOver, ITEM_LOOKS, ITEM_STATUSES } from "../run-words";
import { chosenFilters } from "./chosen-filters";
import type { useColumnChoice } from "./column-choice";
import { useFilterSetters, type FilterParam, type ItemView } from "./item-filter";
import { loadCode } from "@/live/reach";

// Loaded lazily: most visits never open these filters.
const MoreItemFilters = lazy(() => loadCode(async () => ({ default: (await import("./MoreItemFilters")).MoreItemFilters })));

const ColumnChooser = lazy(() => loadCode(async () => ({ default: (await import("./ColumnChooser")).ColumnChooser })));

const MOST_TARGETS = 8;
const NOT_PASSED = { value: "NOT_PASSED", label: "Not passed" } as const;
/** The states that are over with the run; of the others it is known once all rows are read. */
const UNFINISHED: ReadonlySet<ItemStatus> = new Set(["NEW", "IN_PROGRESS", "WAITING_FOR_JUDGE", "JUDGING"]);

interface Props {
  columns: readonly GridColumn<ItemRow>[];
  choice: ReturnType<typeof useColumnChoice>;
  run: RunDetail;
  store: RunStore;
  view: ItemView;
}

export function ItemFilters({ columns, choice, run, store, view: { filter, unfiltered } }: Props) {
  const { counts } = useValue(store.items.index);
  const loading = useValue(store.loading);
  const runStatus = useValue(store.head)?.status ?? run.status;
  const ofRun = useNotPassed(store, isOver(runStatus) && loading === null);
  const { set, drop, clear } = useFilterSetters();
  const [more, setMore] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [unfolded, setUnfolded] = useState(false);
  // On a phone the filters would fill the first screen.
  const folded = unfolded ? "" : "max-sm:hidden";
  const { status = [], ...others } = filter;
  const isNarrowed = Object.keys(others).length > 0;
  const found = useFoundCounts(run.id, filter);
  const countOf = (value: ItemStatus) => (found === null ? counts[value] : found && (found.statuses[value] ?? 0));
  const notPassed = found === null ? ofRun : found?.not_passed;
  // States without an item of the run are left out; a filter leaves the others in their places.
  const states = ITEM_STATUSES.filter((value) => !isOver(runStatus) || counts[value] > 0 || status?.includes(value) || (loading !== null && !UNFINISHED.has(value))).map((value) => ({ value, label: ITEM_LOOKS[value].label, ...counted(countOf(value)) }));
  const hasFailed = filter.passed === false;
  // More of them are chosen in a field among the further filters.
  const targets = run.targets.length > 1 && run.targets.length <= MOST_TARGETS ? run.targets : [];
  return (
    <div className="flex flex-col gap-2.5 border-b border-line px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField className="max-w-md flex-1 basis-52" label="Search task, question, answer or reason" placeholder="Search tasks, questions, answers, reasons" value={filter.q ?? ""} onSearch={(text) => set("q", text === "" ? [] : [text])} />
        <Button className="sm:hidden" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>Filters</Button>
        <Button kind="ghost" className={folded} aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? "Fewer filters" : "More filters"}
        </Button>
        <Button kind="ghost" className={folded} aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>Columns</Button>
        {!unfiltered && <Button kind="ghost" icon="cross" onClick={clear}>Clear filters</Button>}
      </div>
      {more && (
        <Suspense fallback={<Skeleton className="h-14" />}>
          <MoreItemFilters run={run} filter={filter} hasTargets={targets.length === 0} onChange={set} />
        </Suspense>
      )}
      {choosing && (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <ColumnChooser all={columns} choice={choice} />
        </Suspense>
      )}
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        <div className={folded}><FilterChips
          label="Filter items by state"
          options={[...states, { ...NOT_PASSED, ...counted(notPassed) }]}
          selected={[...(status ?? []), ...(hasFailed ? [NOT_PASSED.value] : [])]}
          onChange={(next) => (next.includes(NOT_PASSED.value) === hasFailed ? set("status", next.filter((one) => one !== NOT_PASSED.value)) : set("passed", hasFailed ? [] : ["false"]))}
          onAll={isNarrowed ? clear : undefined}
        /></div>
        {targets.length > 0 && (
          <div className={folded}><FilterChips
            label="Filter items by target"
            hasAll={false}
            options={targets.map(({ id, label }) => ({ value: id, label: harmless(label) }))}
            selected={filter.targetId ?? []}
            onChange={(next) => set("target_id", next)}
          /></div>
        )}
        <Chosen run={run} filter={hasFailed ? { ...filter, passed: undefined } : filter} onlyFolded={targets.length > 0 ? "target_id" : undefined} unfolded={unfolded} onRemove={drop} />
      </div>
    </div>
  );
}

const counted = (count: number | null | undefined) => (count == null ? {} : { count: formatCount(count) });

/** Return the counts of the items that each chip would show under the other filters. They are null without a filter, because
 * the store counts all items of the run, and undefined until the server has counted. */
function useFoundCounts(runId: string, filter: ItemView["filter"]): ItemCount | null | undefined {
  const isFiltered = Object.keys(filter).length > 0;
  const { data, isError } = useCountItemsQuery(isFiltered ? { runId, ...filter } : skipToken);
  return !isFiltered ? null : isError ? undefined : data;
}

/** The number of items that a judge or a rule did not let pass; null while it may change. */
function useNotPassed(store: RunStore, isKnown: boolean): number | null {
  const index = useValue(store.items.index);
  return useMemo(() => (isKnown ? index.ids.filter((id) => store.items.rows.get(id)?.passed === false).length : null), [index, isKnown, store]);
}

interface ChosenProps {
  run: RunDetail;
  filter: ItemView["filter"];
  /** A filter that chips show; only a phone hides these. */
  onlyFolded: FilterParam | undefined;
  unfolded: boolean;
  onRemove: (names: readonly FilterParam[]) => void;
}

/** The active filters, including those set by a link; each has a button that removes it. */
function Chosen({ run, filter, onlyFolded, unfolded, onRemove }: ChosenProps) {
  const chosen = chosenFilters(run, filter).filter(({ names }) => !unfolded || names[0] !== onlyFolded);
  return chosen.map(({ names, label }) => (
    <button key={label} type="button" onClick={() => onRemove(names)} aria-label={`Remove the filter ${harmless(label)}`} title={harmless(label)}
      className={`inline-flex ${names[0] === onlyFolded ? "sm:hidden" : ""} h-7 max-w-full items-center gap-1.5 rounded-full border border-accent bg-selected px-2.5 text-xs font-medium text-accent-strong`}>
      <span className="truncate">{harmless(label)}</span>
      <Icon name="cross" className="size-3" />
    </button>
  ));
}
