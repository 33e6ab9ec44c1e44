import { lazy, Suspense, useState, type RefObject } from "react";
import { useParams } from "react-router";
import type { ItemPage, RunDetail } from "@/api/generated/orchestrator";
import { useGetRunQuery } from "@/api/runs";
import { Allowed } from "@/components/Allowed";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { useOpenItem } from "../item/item-url";
import { LogPanel } from "../log/LogPanel";
import { ItemsTable } from "../results/ItemsTable";
import { useItemView } from "../results/item-filter";
import { SummaryCards } from "../results/SummaryCards";
import { PassesTable } from "../results/PassesTable";
import { TargetTable } from "../results/TargetTable";
import { useShownItems } from "../results/useShownItems";
import { isOver } from "../run-words";
import { GroupList } from "./GroupList";
import { ProgressPanel } from "./ProgressPanel";
import { RunHeader } from "./RunHeader";
import { useEarlyItems, useRunFeed } from "./useRunFeed";
import { loadCode } from "@/live/reach";

// Progress and results render first; sections with more code load afterwards.
const Breakdown = lazy(() => loadCode(async () => ({ default: (await import("../breakdown/Breakdown")).Breakdown })));
const EvaluatorSection = lazy(() => loadCode(async () => ({ default: (await import("../results/EvaluatorSection")).EvaluatorSection })));
const QuestionsSection = lazy(() => loadCode(async () => ({ default: (await import("../results/QuestionsSection")).QuestionsSection })));
const GateSection = lazy(() => loadCode(async () => ({ default: (await import("../gates/GateSection")).GateSection })));
const SuiteSection = lazy(() => loadCode(async () => ({ default: (await import("../suite/SuiteSection")).SuiteSection })));
const ItemPanel = lazy(() => loadCode(async () => ({ default: (await import("../item/ItemPanel")).ItemPanel })));
const Failures = lazy(() => loadCode(async () => ({ default: (await import("../failures/Failures")).Failures })));

const QUEUE_POLL_MS = 10_000;

export default function RunPage() {
  const { runId = "" } = useParams();
  return <Opened key={runId} runId={runId} />;
}

/** One run. The key resets all state for another run. */
function Opened({ runId }: { runId: string }) {
  const { currentData: run, error, isError, refetch } = useGetRunQuery({ runId });
  // A move of the runs before it is no event of a queued run.
  useGetRunQuery({ runId }, { skip: run?.status !== "QUEUED", pollingInterval: QUEUE_POLL_MS });
  const early = useEarlyItems(runId);
  if (run) return <LoadedRun run={run} early={early} />;
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

function LoadedRun({ run, early }: { run: RunDetail; early: RefObject<Promise<ItemPage> | undefined> }) {
  useTitle(run.name);
  const { store, loadEarlierLog } = useRunFeed(run, early);
  const view = useItemView();
  const shown = useShownItems(run.id, store, view);
  // A run that had ended when the page opened shows its results first. The order never changes afterwards, so that nothing
  // jumps when a run ends.
  const [opened] = useOpenItem();
  const [resultsFirst] = useState(isOver(run.status));
  const live = (
    <div className="grid gap-4 lg:grid-cols-[22rem_minmax(0,1fr)] print:hidden">
      <GroupList groups={run.groups} status={run.status} store={store} />
      <LogPanel store={store} onLoadEarlier={loadEarlierLog} />
    </div>
  );
  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-5 sm:px-6">
      <RunHeader run={run} store={store} />
      <ProgressPanel run={run} store={store} />
      {run.gate && (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <GateSection run={run} />
        </Suspense>
      )}
      <SummaryCards run={run} />
      {run.suite && (
        <Suspense fallback={<Skeleton className="h-48" />}>
          <SuiteSection run={run} suite={run.suite} store={store} />
        </Suspense>
      )}
      {!resultsFirst && live}
      <TargetTable run={run} />
      <PassesTable results={run.results} />
      <Suspense fallback={<Skeleton className="h-48" />}>
        <Allowed right="datasets:create">{isOver(run.status) && writesQuestions(run) && <QuestionsSection run={run} />}</Allowed>
        <EvaluatorSection run={run} store={store} />
        <Breakdown run={run} store={store} />
        <Failures run={run} store={store} />
      </Suspense>
      <div className="print:hidden">
        <ItemsTable run={run} store={store} view={view} shown={shown} />
      </div>
      {resultsFirst && live}
      <Suspense>{opened !== null && <ItemPanel run={run} store={store} shown={shown} id={opened} />}</Suspense>
    </div>
  );
}

/** Return whether the run generates questions with ground truth from a document. */
const writesQuestions = (run: RunDetail) => run.evaluators.some((one) => one.kind === "grounded_questions");

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
