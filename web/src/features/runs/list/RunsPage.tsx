import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import type { RunSummary } from "@/api/generated/orchestrator";
import { useListQueueQuery, useRunPagesInfiniteQuery } from "@/api/runs";
import { Allowed } from "@/components/Allowed";
import { Button, ButtonLink } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { SavedViews } from "@/components/SavedViews";
import { plural } from "@/lib/format";
import { useMay } from "@/lib/rights";
import { writeSet } from "@/lib/url-state";
import { useShortcuts } from "@/lib/shortcuts";
import { useTitle } from "@/lib/use-title";
import { DeleteRunDialog } from "../DeleteRunDialog";
import { loadCode } from "@/live/reach";
import { BulkBar } from "./BulkBar";
import { RUN_FILTER_PARAMS, useRunFilter } from "./run-filter";
import { useRunOrder } from "./run-order";
import { RetentionHint } from "./RetentionHint";
import { RunsTable, RunsTableSkeleton } from "./RunsTable";
import { useRunsLive } from "./useRunsLive";

const BudgetBanner = lazy(() => loadCode(() => import("@/components/BudgetBanner")));
// The filters bring the list of choices, which is larger than the page.
const RunFilters = lazy(() => loadCode(async () => ({ default: (await import("./RunFilters")).RunFilters })));
const GroupedRuns = lazy(() => loadCode(async () => ({ default: (await import("./GroupedRuns")).GroupedRuns })));
const SampleRun = lazy(() => loadCode(() => import("./SampleRun")));
const QueueSection = lazy(() => loadCode(() => import("./QueueSection")));

/** Expected starts move on while nothing happens. */
const QUEUE_POLL_MS = 15_000;

const NOTHING_CHOSEN: ReadonlyMap<string, RunSummary> = new Map();

export default function RunsPage() {
  useTitle("Runs");
  const navigate = useNavigate();
  useShortcuts("On this screen", [{ keys: ["n"], label: "New run", right: "runs:create", run: () => void navigate("/runs/new") }]);
  const [, setSearch] = useSearchParams();
  const { filter, any } = useRunFilter();
  const { group } = useRunOrder();
  const query = useRunPagesInfiniteQuery(filter, { refetchOnMountOrArgChange: true });
  const queue = useListQueueQuery({}, { refetchOnMountOrArgChange: true, pollingInterval: QUEUE_POLL_MS });
  const { refetch } = query;
  const { refetch: refetchQueue } = queue;
  useRunsLive(filter, useCallback(() => Promise.all([refetch(), refetchQueue()]), [refetch, refetchQueue]));
  const [selected, setSelected] = useState<ReadonlyMap<string, RunSummary>>(NOTHING_CHOSEN);
  const [deleting, setDeleting] = useState<RunSummary | null>(null);
  // The rows of the last filter stay until the next response.
  const runs = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const tags = useMemo(() => [...new Set(runs.flatMap((run) => run.tags))], [runs]);
  const nothing = query.data !== undefined && runs.length === 0 && !any;
  const clear = () =>
    setSearch((now) => RUN_FILTER_PARAMS.reduce((search, name) => writeSet(search, name, []), now), { replace: true });

  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-6 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h1 className="text-xl font-semibold tracking-tight">Runs</h1>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="text-ink-2" role="status">
            {query.data && runs.length > 0 && group === null && `${plural(runs.length, "run")}${query.hasNextPage ? " so far" : ""}`}
          </p>
          {!nothing && <SavedViews table="runs" />}
          {!nothing && <ButtonLink kind="primary" icon="plus" to="/runs/new" right="runs:create">New run</ButtonLink>}
        </div>
      </div>
      <Suspense><BudgetBanner /></Suspense>
      <Suspense>{queue.data && queue.data.items.length > 0 && <QueueSection runs={queue.data.items} />}</Suspense>
      {!nothing && <Suspense fallback={<Skeleton className="h-24" />}><RunFilters tags={tags} /></Suspense>}
      {group !== null && runs.length > 0 ? (
        <Suspense fallback={<RunsTableSkeleton />}><GroupedRuns by={group} filter={filter} selected={selected} onSelect={setSelected} onDelete={setDeleting} /></Suspense>
      ) : (
        <div className="card overflow-hidden">
          {query.data ? (
            runs.length > 0 ? (
              <RunsTable runs={runs} selected={selected} onSelect={setSelected} onDelete={setDeleting} />
            ) : nothing ? (
              <NoRuns />
            ) : (
              <NoMatch onClear={clear} />
            )
          ) : query.isError ? (
            <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <RunsTableSkeleton />
          )}
        </div>
      )}
      {!nothing && <Allowed right="storage:read"><RetentionHint /></Allowed>}
      {query.data && query.isError && <ProblemNote error={query.error} />}
      {query.hasNextPage && group === null && (
        <Button className="self-center" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {query.isFetchingNextPage ? "Loading…" : "Load more"}
        </Button>
      )}
      {selected.size > 0 && <BulkBar chosen={selected} tags={tags} onChange={setSelected} />}
      <DeleteRunDialog run={deleting && { id: deleting.id, name: deleting.name, items: deleting.counts.items }} onClose={() => setDeleting(null)} />
    </div>
  );
}

const FIRST_STEPS = [
  { to: "/providers", label: "A provider", text: "Where the models run: your own server, or a service." },
  { to: "/import", label: "Tasks", text: "What the models are asked: a file of questions, or a few you write." },
  { to: "/runs/new", label: "The first run", text: "Models answer, a judge scores, and you see which model is better." },
] as const;

function NoRuns() {
  if (!useMay("runs:create")) return <Message icon="spark" title="No runs yet"><p>They appear here once somebody of your organisation starts one.</p></Message>;
  return (
    <Message icon="spark" title="No runs yet">
      <Suspense><SampleRun /></Suspense>
      <p className="mt-5">Three steps to a first result of your own.</p>
      <ol className="mt-5 grid gap-3 text-left sm:grid-cols-3">
        {FIRST_STEPS.map(({ to, label, text }, index) => (
          <li key={to} className="relative rounded-md border border-line px-4 py-3 hover:border-line-strong hover:bg-hover">
            <p className="flex items-center gap-2">
              <span aria-hidden="true" className="grid size-5 place-items-center rounded-full bg-selected text-xs font-semibold text-accent-strong">{index + 1}</span>
              <Link to={to} className="font-medium text-accent after:absolute after:inset-0">{label}</Link>
            </p>
            <p className="mt-1.5 text-xs text-ink-2">{text}</p>
          </li>
        ))}
      </ol>
      <p className="mt-5 text-xs">
        Or type <code className="rounded bg-mute-soft px-1.5 py-0.5 font-mono text-ink">make demo</code> for a sample run on the built-in
        model. It appears here at once.
      </p>
    </Message>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <Message icon="ring" title="No run matches these filters">
      <p>The filters hide the other runs.</p>
      <Button className="mt-4" onClick={onClear}>
        Show all runs
      </Button>
    </Message>
  );
}
