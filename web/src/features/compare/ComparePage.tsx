import { lazy, Suspense, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { useCompareColumnsQuery, useRunsByIdQuery } from "@/api/comparisons";
import type { RunStatus } from "@/api/generated/orchestrator";
import { Button, ButtonLink } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { JudgeTrust } from "@/components/JudgeTrust";
import { columnParam, MOST_COLUMNS } from "@/lib/compare-link";
import { plural } from "@/lib/format";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { loadCode } from "@/live/reach";
import { CasesSection } from "./cases/CasesSection";
import { ColumnCards } from "./columns/ColumnCards";
import type { Picking } from "./columns/ColumnPicker";
import { askedOf, useCompareView, useViewSetters, type CompareView } from "./compare-view";
import { matchTargets } from "./match-targets";
import { ReportLink } from "./ReportLink";
import { VerdictCard } from "./VerdictCard";

const ColumnPicker = lazy(() => loadCode(async () => ({ default: (await import("./columns/ColumnPicker")).ColumnPicker })));
const GatePanel = lazy(() => loadCode(async () => ({ default: (await import("./gate/GatePanel")).GatePanel })));
const ColumnIntervals = lazy(() => loadCode(async () => ({ default: (await import("./columns/Intervals")).ColumnIntervals })));
const RunsCompared = lazy(() => loadCode(async () => ({ default: (await import("./runs/RunsCompared")).RunsCompared })));

/** The polling interval while a run is active. */
const AGAIN_MS = 5000;
const OVER: readonly RunStatus[] = ["FINISHED", "CANCELLED"];

export default function ComparePage() {
  useTitle("Compare");
  const [search] = useSearchParams();
  const view = useCompareView();
  const runIds = search.getAll("run");
  const [picking, setPicking] = useState<Picking | null>(null);
  const resolving = view.columns.length === 0 && runIds.length > 0;
  // Two runs are compared pair by pair of their targets; one, or several, side by side.
  const [before, after, ...more] = new Set(runIds);
  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-5 sm:px-6">
      <PageHead
        title="Compare"
        parent={{ to: "/runs", label: "All runs" }}
        actions={
          view.columns.length > 0 && (
            <>
              {view.columns.length > 1 && <ReportLink query={[...view.columns.map((one) => ["column", columnParam(one)] as const), ["baseline", String(view.baseline)]]} />}
              {view.columns.length < MOST_COLUMNS && (
                <Button icon="plus" onClick={() => setPicking({ at: null })}>
                  Add a column
                </Button>
              )}
            </>
          )
        }
      />
      {resolving && before && after && more.length === 0 ? (
        <>
          <JudgeTrust runIds={[before, after]} />
          <Suspense fallback={<Skeleton className="h-56" />}><RunsCompared before={before} after={after} /></Suspense>
        </>
      ) : resolving ? (
        <RunTargets key={runIds.join()} runIds={runIds} />
      ) : view.columns.length < 2 ? (
        <TooFew view={view} onPick={() => setPicking({ at: null })} />
      ) : (
        <Compared view={view} onPick={setPicking} />
      )}
      {picking && <Suspense><ColumnPicker view={view} picking={picking} onClose={() => setPicking(null)} /></Suspense>}
    </div>
  );
}

function Compared({ view, onPick }: { view: CompareView; onPick: (picking: Picking) => void }) {
  const [active, setActive] = useState(true);
  const { currentData, data, error, isError, refetch } = useCompareColumnsQuery(
    { column: view.columns.map(columnParam), baseline: view.baseline },
    { pollingInterval: active ? AGAIN_MS : 0, refetchOnMountOrArgChange: true },
  );
  const { setColumns } = useViewSetters();
  const comparison = currentData ?? (data?.columns.length === view.columns.length && sameColumns(view, data.columns) ? data : undefined);
  const going = comparison?.columns.some((one) => !OVER.includes(one.run_status)) ?? true;
  if (going !== active) setActive(going);
  if (!comparison) {
    if (!isError) return <CardsSkeleton columns={view.columns.length} />;
    if (toProblem(error).status !== 404) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
    return (
      <Message icon="ring" title="A column of this comparison is gone">
        <p>{toProblem(error).detail} The run may have been deleted.</p>
        <Button className="mt-4" onClick={() => setColumns([])}>
          Choose other columns
        </Button>
      </Message>
    );
  }
  return (
    <>
      <VerdictCard comparison={comparison} />
      <JudgeTrust runIds={comparison.columns.map((one) => one.run_id)} />
      <ColumnCards comparison={comparison} view={view} onPick={onPick} />
      <Suspense fallback={<Skeleton className="h-40" />}>
        <ColumnIntervals comparison={comparison} />
      </Suspense>
      <CasesSection comparison={comparison} view={view} />
      <Suspense>
        <GatePanel asked={askedOf(view)} comparisons={[comparison]} />
      </Suspense>
    </>
  );
}

function sameColumns(view: CompareView, columns: readonly { run_id: string; target_id: string }[]): boolean {
  return columns.every((one, at) => one.run_id === view.columns[at]?.runId && one.target_id === view.columns[at].targetId);
}

/** The targets of the linked runs become the columns and are written to the address. */
function RunTargets({ runIds }: { runIds: readonly string[] }) {
  const { data: runs, error, isError, refetch } = useRunsByIdQuery(runIds);
  const { setColumns } = useViewSetters();
  useEffect(() => {
    if (runs) setColumns(matchTargets(runs), 0, { replace: true });
  }, [runs, setColumns]);
  if (isError) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  return <CardsSkeleton columns={runIds.length} />;
}

function TooFew({ view, onPick }: { view: CompareView; onPick: () => void }) {
  const one = view.columns.length === 1;
  return (
    <div className="card">
      <Message icon="scale" title={one ? "Choose what to compare it with" : "Nothing to compare yet"}>
        <p>
          {one
            ? "One column is chosen. Add another target of the same run, or a target of another run over the same tasks."
            : "Put targets side by side: models of one run, or runs over the same tasks. Each is compared with a baseline, case by case, and the screen says whether the difference is more than chance."}
        </p>
        <div className="mt-4 flex flex-wrap justify-center gap-2">
          <Button kind="primary" icon="plus" onClick={onPick}>
            {one ? "Add a column" : "Choose the first column"}
          </Button>
          {!one && <ButtonLink to="/runs">Choose from the runs</ButtonLink>}
        </div>
      </Message>
    </div>
  );
}

function CardsSkeleton({ columns }: { columns: number }) {
  return (
    <div role="status" aria-label={`Comparing ${plural(columns, "column")}`} className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {Array.from({ length: Math.max(2, columns) }, (_, index) => (
        <Skeleton key={index} className="h-56" />
      ))}
    </div>
  );
}

