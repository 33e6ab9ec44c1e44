import { useParams } from "react-router";
import type { RunDetail } from "@/api/generated/orchestrator";
import { useGetRunQuery } from "@/api/runs";
import { ErrorMessage, Message, Skeleton } from "@/components/Message";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { useUrlSet } from "@/lib/url-state";
import { ItemPanel } from "../item/ItemPanel";
import { LogPanel } from "../log/LogPanel";
import { ItemsTable } from "../results/ItemsTable";
import { TargetTable } from "../results/TargetTable";
import { useVisibleItems } from "../results/useVisibleItems";
import { ITEM_STATUSES } from "../run-words";
import { GroupList } from "./GroupList";
import { ProgressPanel } from "./ProgressPanel";
import { RunHeader } from "./RunHeader";
import { useRunFeed } from "./useRunFeed";

export default function RunPage() {
  const { runId = "" } = useParams();
  const { currentData: run, error, isError, refetch } = useGetRunQuery({ runId });
  if (run) return <LoadedRun key={run.id} run={run} />;
  return (
    <div className="mx-auto w-full max-w-screen-2xl px-4 py-6 sm:px-6">
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

function LoadedRun({ run }: { run: RunDetail }) {
  useTitle(run.name);
  const { store, loadEarlierLog } = useRunFeed(run);
  const [states, setStates] = useUrlSet("state", ITEM_STATUSES);
  const visible = useVisibleItems(store, states);
  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-5 sm:px-6">
      <RunHeader run={run} store={store} />
      <ProgressPanel run={run} store={store} />
      <div className="grid gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <GroupList groups={run.groups} store={store} />
        <LogPanel store={store} onLoadEarlier={loadEarlierLog} />
      </div>
      <TargetTable results={run.results} evaluators={run.evaluators} />
      <ItemsTable store={store} visible={visible} states={states} onStates={setStates} />
      <ItemPanel runId={run.id} store={store} ids={visible} />
    </div>
  );
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
