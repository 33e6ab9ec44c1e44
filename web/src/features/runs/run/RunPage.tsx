import { lazy, Suspense, type RefObject } from "react";
import { Navigate, useLocation, useParams } from "react-router";
import type { ItemPage, RunDetail } from "@/api/generated/orchestrator";
import { useGetRunQuery } from "@/api/runs";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { useValue } from "@/live/hooks";
import { loadCode } from "@/live/reach";
import type { RunStore } from "@/live/run-store";
import { isOpening, useOpenItem } from "../item/item-url";
import { ItemsTable } from "../results/ItemsTable";
import { useItemView } from "../results/item-filter";
import { useShownItems } from "../results/useShownItems";
import { isOver } from "../run-words";
import { ProgressLine } from "./ProgressPanel";
import { RunHeader } from "./RunHeader";
import { RunNav } from "./RunNav";
import { runHref, VIEW_LABELS, viewOf, viewOfOldSearch, type RunView } from "./run-views";
import { useEarlyItems, useRunFeed } from "./useRunFeed";

// The items are loaded with the page; the other views load when they are opened.
const ResultsView = lazy(() => loadCode(async () => ({ default: (await import("./ResultsView")).ResultsView })));
const Breakdown = lazy(() => loadCode(async () => ({ default: (await import("../breakdown/Breakdown")).Breakdown })));
const Failures = lazy(() => loadCode(async () => ({ default: (await import("../failures/Failures")).Failures })));
const RetryCommand = lazy(() => loadCode(async () => ({ default: (await import("../failures/RetryCommand")).RetryCommand })));
const LogView = lazy(() => loadCode(async () => ({ default: (await import("./LogView")).LogView })));
const ReadingView = lazy(() => loadCode(async () => ({ default: (await import("../read/ReadingView")).ReadingView })));
const ItemPanel = lazy(() => loadCode(async () => ({ default: (await import("../item/ItemPanel")).ItemPanel })));

const QUEUE_POLL_MS = 10_000;

export default function RunPage() {
  const { runId = "", view: part } = useParams();
  const { search, state } = useLocation() as { search: string; state: unknown };
  const view = viewOf(part);
  if (view === null) return <Navigate to={runHref(runId)} replace />;
  // A link within the page opens an item over any view; a bare address is one of an earlier version.
  const old = view === "results" && !isOpening(state) ? viewOfOldSearch(new URLSearchParams(search)) : null;
  if (old !== null) return <Navigate to={runHref(runId, old, search)} replace state={state} />;
  return <Opened key={runId} runId={runId} view={view} />;
}

/** One run. The key resets all state for another run. */
function Opened({ runId, view }: { runId: string; view: RunView }) {
  const { currentData: run, error, isError, refetch } = useGetRunQuery({ runId });
  // A move of the runs before it is no event of a queued run.
  useGetRunQuery({ runId }, { skip: run?.status !== "QUEUED", pollingInterval: QUEUE_POLL_MS });
  const early = useEarlyItems(runId);
  if (run) return <LoadedRun run={run} early={early} view={view} />;
  return (
    <div className="mx-auto w-full max-w-screen-2xl px-4 py-6 sm:px-6">
      <h1 className="sr-only">Run</h1>
      {!isError ? (
        <RunSkeleton />
      ) : [404, 422].includes(toProblem(error).status ?? 0) ? (
        <Message icon="ring" title="There is no such run">
          <p>It may have been deleted, or the link is incomplete. All runs are in the list.</p>
        </Message>
      ) : (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

function LoadedRun({ run, early, view }: { run: RunDetail; early: RefObject<Promise<ItemPage> | undefined>; view: RunView }) {
  useTitle(view === "results" ? run.name : view === "read" ? `Reading · ${run.name}` : `${VIEW_LABELS[view]} · ${run.name}`);
  const { store, loadEarlierLog } = useRunFeed(run, early);
  const itemView = useItemView();
  const shown = useShownItems(run.id, store, itemView);
  const [opened] = useOpenItem();
  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-4 sm:px-6">
      <RunHeader run={run} store={store} />
      <RunNav run={run} store={store} view={view} />
      {view !== "results" && <ActiveLine run={run} store={store} />}
      <Suspense><RetryCommand run={run} store={store} /></Suspense>
      <Suspense fallback={<Skeleton className="h-96" />}>
        {view === "results" && <ResultsView run={run} store={store} onLoadEarlier={loadEarlierLog} />}
        {view === "breakdown" && <Breakdown run={run} store={store} />}
        {view === "items" && <ItemsTable run={run} store={store} view={itemView} shown={shown} />}
        {view === "read" && <ReadingView run={run} store={store} shown={shown} />}
        {view === "failures" && <Failures run={run} store={store} />}
        {view === "log" && <LogView run={run} store={store} onLoadEarlier={loadEarlierLog} />}
      </Suspense>
      <Suspense>{opened !== null && view !== "read" && <ItemPanel run={run} store={store} shown={shown} id={opened} />}</Suspense>
    </div>
  );
}

/** The progress of a run that is not over, on all views but the results. */
function ActiveLine({ run, store }: { run: RunDetail; store: RunStore }) {
  return isOver(useValue(store.head)?.status ?? run.status) ? null : <ProgressLine run={run} store={store} />;
}

function RunSkeleton() {
  return (
    <div role="status" aria-label="Loading the run" className="flex flex-col gap-4">
      <Skeleton className="h-8 w-80 max-w-full" />
      <Skeleton className="h-28 w-full" />
      <div className="grid gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <Skeleton className="h-96" />
        <Skeleton className="h-96" />
      </div>
    </div>
  );
}
