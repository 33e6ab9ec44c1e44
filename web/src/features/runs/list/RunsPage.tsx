import { useMemo } from "react";
import { useRunPagesInfiniteQuery } from "@/api/runs";
import { Button } from "@/components/Button";
import { FilterChips } from "@/components/FilterChips";
import { ErrorMessage, Message, ProblemNote } from "@/components/Message";
import { plural } from "@/lib/format";
import { useUrlSet } from "@/lib/url-state";
import { useTitle } from "@/lib/use-title";
import { RUN_STATUSES, runStatusLabel } from "../run-words";
import { RunsTable, RunsTableSkeleton } from "./RunsTable";
import { useRunsLive } from "./useRunsLive";

const OPTIONS = RUN_STATUSES.map((value) => ({ value, label: runStatusLabel(value) }));

export default function RunsPage() {
  useTitle("Runs");
  const [status, setStatus] = useUrlSet("status", RUN_STATUSES);
  const query = useRunPagesInfiniteQuery({ status }, { refetchOnMountOrArgChange: true });
  useRunsLive(status, query.refetch);
  const runs = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const nothing = query.data !== undefined && runs.length === 0 && status.length === 0;

  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-6 sm:px-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-xl font-semibold tracking-tight">Runs</h1>
        <p className="text-ink-2" role="status">
          {query.data && runs.length > 0 && `${plural(runs.length, "run")}${query.hasNextPage ? " so far" : ""}`}
        </p>
      </div>
      {!nothing && <FilterChips label="Filter by status" options={OPTIONS} selected={status} onChange={setStatus} />}
      <div className="card overflow-hidden">
        {query.data ? (
          runs.length > 0 ? (
            <RunsTable runs={runs} />
          ) : nothing ? (
            <NoRuns />
          ) : (
            <NoMatch onClear={() => setStatus([])} />
          )
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <RunsTableSkeleton />
        )}
      </div>
      {query.data && query.isError && <ProblemNote error={query.error} />}
      {query.hasNextPage && (
        <Button className="self-center" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {query.isFetchingNextPage ? "Loading…" : "Load more"}
        </Button>
      )}
    </div>
  );
}

function NoRuns() {
  return (
    <Message icon="spark" title="No runs yet">
      <p>A run asks your targets every question of a collection, and has a judge grade the answers.</p>
      <p className="mt-3">
        Type <code className="rounded bg-mute-soft px-1.5 py-0.5 font-mono text-xs text-ink">make demo</code> for a first one on the
        built-in model, or send a judge, targets and collections to{" "}
        <code className="rounded bg-mute-soft px-1.5 py-0.5 font-mono text-xs whitespace-nowrap text-ink">POST /api/runs</code>. It appears
        here at once.
      </p>
    </Message>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <Message icon="ring" title="No run has this status">
      <p>Other runs are hidden by the filter.</p>
      <Button className="mt-4" onClick={onClear}>
        Show all runs
      </Button>
    </Message>
  );
}
