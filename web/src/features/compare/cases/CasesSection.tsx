import { useMemo } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { useComparedCasePagesInfiniteQuery } from "@/api/comparisons";
import type { ComparedCase, Comparison } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { MultiSelect } from "@/components/Combobox";
import { DataGrid } from "@/components/DataGrid";
import { SelectField } from "@/components/Field";
import { FilterChips } from "@/components/FilterChips";
import { Icon } from "@/components/Icon";
import { Message } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { SearchField } from "@/components/SearchField";
import { Section } from "@/components/Section";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { opening } from "@/lib/url-state";
import { useKeyed } from "@/live/use-keyed";
import { columnName } from "../column-name";
import { caseQuery, SHOWS, SORTS, useViewSetters, type CaseSort, type CompareView } from "../compare-view";
import { caseColumns } from "./case-columns";
import { CasePanel } from "./CasePanel";

const SHOW_LABELS = { differing: "Differing", better: "Better", worse: "Worse", equal: "Equal", missing: "Missing" } as const;
const SORT_LABELS: Record<CaseSort, string> = { position: "In the order they ran", delta: "Greatest loss first", "-delta": "Greatest gain first" };
const keyOf = (one: ComparedCase) => one.task_id;

/** Every case with one cell per column; filters, order and the open case are in the URL. */
export function CasesSection({ comparison, view }: { comparison: Comparison; view: CompareView }) {
  const query = useComparedCasePagesInfiniteQuery(caseQuery(view));
  const { clear } = useViewSetters();
  const [search] = useSearchParams();
  // The rows of the last filter stay until the next response.
  const cases = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const { ids, rows } = useKeyed(cases, keyOf);
  const columns = useMemo(() => caseColumns(comparison, search), [comparison, search]);
  const navigate = useNavigate();
  const { state } = useLocation() as { state: unknown };
  const isOpen = search.has("case");
  const total = query.data?.pages[0]?.total;
  const filtered = view.show !== "all" || view.q !== "" || view.categories.length > 0;
  return (
    <Section
      title="Cases"
      aside={
        <p role="status" className="text-xs text-ink-2">
          {total === undefined ? "…" : filtered ? `${plural(total, "case")} of ${comparison.cases}` : plural(total, "case")}
        </p>
      }
    >
      <Filters comparison={comparison} view={view} categories={cases.map((one) => one.category)} filtered={filtered} />
      {cases.length > 0 ? (
        <DataGrid
          label="Cases"
          columns={columns}
          ids={ids}
          rows={rows}
          selected={search.get("case")}
          total={total ?? cases.length}
          onEnd={query.hasNextPage && !query.isFetching ? () => void query.fetchNextPage() : undefined}
          onFollow={(href) => void navigate(href, { replace: isOpen, state: isOpen ? state : opening("case"), preventScrollReset: true })}
        />
      ) : query.isError ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isFetching ? (
        <p className="px-4 py-8 text-center text-ink-2">Searching cases…</p>
      ) : filtered ? (
        <Message icon="ring" title="No case matches these filters">
          <Button className="mt-3" onClick={clear}>
            Show all cases
          </Button>
        </Message>
      ) : (
        <Message icon="ring" title="There are no cases">
          <p>Neither run has any item of these targets.</p>
        </Message>
      )}
      <CasePanel comparison={comparison} cases={cases} total={total ?? cases.length} onEnd={query.hasNextPage && !query.isFetching ? () => void query.fetchNextPage() : undefined} />
    </Section>
  );
}

interface FiltersProps {
  comparison: Comparison;
  view: CompareView;
  categories: readonly string[];
  filtered: boolean;
}

function Filters({ comparison, view, categories, filtered }: FiltersProps) {
  const { set, show, clear } = useViewSetters();
  const choices = [...new Set([...categories, ...view.categories])].toSorted().map((one) => ({ value: one, label: harmless(one) }));
  const options = SHOWS.filter((one) => one !== "all").map((value) => ({ value, label: SHOW_LABELS[value] }));
  return (
    <div className="flex flex-col gap-2.5 border-b border-line px-4 py-2.5 print:hidden">
      <div className="grid grid-cols-2 items-end gap-3 md:grid-cols-[minmax(0,2fr)_minmax(0,1.2fr)_minmax(0,1fr)]">
        <SearchField className="col-span-2 md:col-span-1" label="Search task, question, answer or reason" placeholder="Search tasks, questions, answers, reasons" value={view.q} onSearch={(text) => set("q", text === "" ? [] : [text])} />
        <MultiSelect label="Categories" free placeholder="All" choices={choices} selected={view.categories} onChange={(next) => set("category", next)} />
        <SelectField
          label="Order"
          options={SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))}
          value={view.sort}
          onChange={(next) => set("sort", next === "position" ? [] : [next])}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {/* One at a time: the last one that was clicked. */}
        <FilterChips label="Show cases" options={options} selected={view.show === "all" ? [] : [view.show]} onChange={(next) => show(next.at(-1) ?? "all", view.of)} />
        {view.of !== null && <Chosen name={`Of ${columnName(comparison.columns[view.of], view.of)}`} onRemove={() => show(view.show, null)} />}
        {view.categories.map((category) => (
          <Chosen key={category} name={`Category: ${category}`} onRemove={() => set("category", view.categories.filter((one) => one !== category))} />
        ))}
        {view.q !== "" && <Chosen name={`Search: ${view.q}`} onRemove={() => set("q", [])} />}
        {filtered && <Button kind="ghost" icon="cross" onClick={clear}>Clear filters</Button>}
      </div>
    </div>
  );
}

/** An active filter with a button that removes it. */
function Chosen({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <button type="button" onClick={onRemove} aria-label={`Remove the filter ${harmless(name)}`}
      className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-full border border-accent bg-selected px-2.5 text-xs font-medium text-accent-strong">
      <span className="truncate">{harmless(name)}</span>
      <Icon name="cross" className="size-3" />
    </button>
  );
}
