import { lazy, Suspense, useMemo } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { useComparedCasePagesInfiniteQuery, type CaseQuery } from "@/api/comparisons";
import type { CaseGroups, ComparedCase, Comparison, Show } from "@/api/generated/orchestrator";
import { Button, buttonLook } from "@/components/Button";
import { MultiSelect } from "@/components/Combobox";
import { DataGrid } from "@/components/DataGrid";
import { SelectField } from "@/components/Field";
import { FilterChips } from "@/components/FilterChips";
import { Icon } from "@/components/Icon";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { SearchField } from "@/components/SearchField";
import { Section } from "@/components/Section";
import { Segments } from "@/components/Segments";
import { comparedCasesHref } from "@/lib/compare-link";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { opening } from "@/lib/url-state";
import { loadCode } from "@/live/reach";
import { useKeyed } from "@/live/use-keyed";
import { columnName } from "../column-name";
import { caseQuery, LOOKS, reviewed, SHOWS, SORTS, useLook, useViewSetters, type CompareView, type Look } from "../compare-view";
import { binWords } from "../maps/bins";
import { CASES } from "../PassSentence";
import { ReviewList } from "../review/ReviewList";
import { countWords, passWords } from "../words";
import { caseColumns } from "./case-columns";

// The pictures and the open case are loaded when they are looked at.
const HeatMap = lazy(() => loadCode(() => import("../maps/HeatMap")));
const ScorePicture = lazy(() => loadCode(() => import("../maps/ScorePicture")));
const CasePanel = lazy(() => loadCode(async () => ({ default: (await import("./CasePanel")).CasePanel })));

const SHOW_LABELS = { differing: "Differing", better: "Better", worse: "Worse", equal: "Equal", missing: "Not compared", changed: "Reference changed" } as const;
const SORT_LABELS: Record<(typeof SORTS)[number], string> = { position: "In the order they ran", delta: "Greatest loss first", "-delta": "Greatest gain first" };
const capitalised = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
const keyOf = (one: ComparedCase) => one.task_id;

const LOOK_LABELS: Record<Look, string> = { review: "Review", table: "Table", categories: "Categories", scores: "Scores" };

/** The cases behind the verdict, as a review, as a table, or in a picture. */
export function CasesSection({ comparison, view }: { comparison: Comparison; view: CompareView }) {
  const [look, setLook] = useLook(view);
  const at = reviewed(view);
  const looks = LOOKS.filter((one) => at !== null || one === "table" || one === "categories");
  return (
    <Section
      anchor={CASES}
      title="Case by case"
      aside={<Segments label="Look at" options={looks.map((value) => ({ value, label: LOOK_LABELS[value] }))} value={look} onChange={setLook} />}
    >
      <Suspense fallback={<div className="p-4"><Skeleton className="h-48" /></div>}>
        {look === "categories" ? (
          <HeatMap comparison={comparison} view={view} />
        ) : look === "scores" && at !== null ? (
          <ScorePicture comparison={comparison} view={view} at={at} />
        ) : (
          <Cases comparison={comparison} view={view} review={look === "review" ? at : null} />
        )}
      </Suspense>
    </Section>
  );
}

interface CasesProps {
  comparison: Comparison;
  view: CompareView;
  /** The column to review; null for the table. */
  review: number | null;
}

/** The cases page by page; filters, order and the open case are in the URL. */
function Cases({ comparison, view, review }: CasesProps) {
  const asked: CaseQuery = review === null ? caseQuery(view) : { ...caseQuery(view), sort: "group" };
  const query = useComparedCasePagesInfiniteQuery(asked);
  const { clear } = useViewSetters();
  const [search] = useSearchParams();
  // The rows of the last filter stay until the next response.
  const cases = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const first = query.data?.pages[0];
  const total = first?.total ?? cases.length;
  const filtered = view.show !== "all" || view.q !== "" || view.categories.length > 0 || view.bin !== null;
  const onMore = query.hasNextPage && !query.isFetching ? () => void query.fetchNextPage() : undefined;
  return (
    <>
      <Filters comparison={comparison} view={view} categories={cases.map((one) => one.category)} filtered={filtered} counts={first?.groups} review={review !== null} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-1.5">
        <p role="status" className="text-xs text-ink-2">
          {first === undefined ? "…" : filtered ? `${plural(total, "case")} of ${comparison.cases}` : plural(total, "case")}
        </p>
        {total > 0 && (
          <a href={comparedCasesHref({ ...asked })} download className={`${buttonLook("ghost")} print:hidden`} title="As CSV: scores, verdicts and full answers of the cases that the filters choose">
            <Icon name="download" />
            Export these cases
          </a>
        )}
      </div>
      {cases.length > 0 && first ? (
        review === null ? (
          <Table comparison={comparison} cases={cases} total={total} onMore={onMore} />
        ) : (
          <ReviewList comparison={comparison} at={review} cases={cases} counts={first.groups} total={total} onMore={onMore} />
        )
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
      <Suspense>{search.has("case") && <CasePanel comparison={comparison} cases={cases} total={total} onEnd={onMore} />}</Suspense>
    </>
  );
}

interface TableProps {
  comparison: Comparison;
  cases: readonly ComparedCase[];
  total: number;
  onMore: (() => void) | undefined;
}

/** Every case with one cell per column. */
function Table({ comparison, cases, total, onMore }: TableProps) {
  const [search] = useSearchParams();
  const { ids, rows } = useKeyed(cases, keyOf);
  const columns = useMemo(() => caseColumns(comparison, search), [comparison, search]);
  const navigate = useNavigate();
  const { state } = useLocation() as { state: unknown };
  const isOpen = search.has("case");
  return (
    <DataGrid
      label="Cases"
      columns={columns}
      ids={ids}
      rows={rows}
      selected={search.get("case")}
      total={total}
      onEnd={onMore}
      onFollow={(href) => void navigate(href, { replace: isOpen, state: isOpen ? state : opening("case"), preventScrollReset: true })}
    />
  );
}

interface FiltersProps {
  comparison: Comparison;
  view: CompareView;
  categories: readonly string[];
  filtered: boolean;
  /** The number of cases of each group under the other filters. */
  counts: CaseGroups | undefined;
  /** A review has an order of its own. */
  review: boolean;
}

function Filters({ comparison, view, categories, filtered, counts, review }: FiltersProps) {
  const { set, show, clear } = useViewSetters();
  const choices = [...new Set([...categories, ...view.categories])].toSorted().map((one) => ({ value: one, label: harmless(one) }));
  const passing = comparison.comparisons.some((one) => one.passes !== null && one.passes.cases > 0);
  const isOffered = (one: Show) => one !== "all" && (passing || one === view.show || (one !== "gained" && one !== "lost"));
  const note = counts ? countWords(comparison.columns.length, view.of) : null;
  const moved = passWords(comparison, reviewed(view), "pass");
  const labels = { ...SHOW_LABELS, gained: capitalised(moved.gained), lost: capitalised(moved.lost) };
  const options = SHOWS.filter((one) => one !== "all").filter(isOffered).map((value) => ({ value, label: labels[value], ...(counts && value !== "differing" && { count: formatCount(counts[value]) }) }));
  return (
    <div className="flex flex-col gap-2.5 border-b border-line px-4 py-2.5 print:hidden">
      <div className="grid grid-cols-2 items-end gap-3 md:grid-cols-[minmax(0,2fr)_minmax(0,1.2fr)_minmax(0,1fr)]">
        <SearchField className="col-span-2 md:col-span-1" label="Search task, question, answer or reason" placeholder="Search tasks, questions, answers, reasons" value={view.q} onSearch={(text) => set("q", text === "" ? [] : [text])} />
        <MultiSelect label="Categories" free placeholder="All" choices={choices} selected={view.categories} onChange={(next) => set("category", next)} />
        {!review && (
          <SelectField
            label="Order"
            options={SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))}
            value={view.sort}
            onChange={(next) => set("sort", next === "position" ? [] : [next])}
          />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {/* One at a time: the last one that was clicked. */}
        <FilterChips label="Show cases" options={options} selected={view.show === "all" ? [] : [view.show]} onChange={(next) => show(next.at(-1) ?? "all", view.of)} />
        {view.of !== null && <Chosen name={`Of ${columnName(comparison.columns[view.of], view.of)}`} onRemove={() => show(view.show, null)} />}
        {view.categories.map((category) => (
          <Chosen key={category} name={`Category: ${category}`} onRemove={() => set("category", view.categories.filter((one) => one !== category))} />
        ))}
        {view.bin !== null && <Chosen name={`Scores: ${binWords(view.bin)}`} onRemove={() => set("bin", [])} />}
        {view.q !== "" && <Chosen name={`Search: ${view.q}`} onRemove={() => set("q", [])} />}
        {filtered && <Button kind="ghost" icon="cross" onClick={clear}>Clear filters</Button>}
      </div>
      {note && <p className="text-xs text-ink-3">{note}</p>}
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
