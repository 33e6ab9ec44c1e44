import { lazy, Suspense, useState } from "react";
import { usePairedRunsQuery, useRunsByIdQuery } from "@/api/comparisons";
import type { BenchmarksCompared, CompareBenchmarks, RunDetail } from "@/api/generated/orchestrator";
import { Button, ButtonLink } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { compareColumnsHref, MOST_COLUMNS } from "@/lib/compare-link";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { loadCode } from "@/live/reach";
import { CasesSection } from "../cases/CasesSection";
import { useCompareView } from "../compare-view";
import { ReportLink } from "../ReportLink";
import { PairByHand } from "./PairByHand";
import { PairsTable } from "./PairsTable";
import { RunVerdictCard } from "./RunVerdictCard";
import { usePairView } from "./pair-view";

const PairIntervals = lazy(() => loadCode(async () => ({ default: (await import("../columns/Intervals")).PairIntervals })));
const GatePanel = lazy(() => loadCode(async () => ({ default: (await import("../gate/GatePanel")).GatePanel })));

/** The polling interval while a run is active. */
const AGAIN_MS = 5000;

/** Two runs: their targets paired, a verdict for each pair, and one for the run. */
export function RunsCompared({ before, after }: { before: string; after: string }) {
  const { pairs } = usePairView();
  const [active, setActive] = useState(true);
  const asked: CompareBenchmarks = { run_ids: [before, after], pairs };
  const { data: runs, error: gone, isError: isGone, refetch: again } = useRunsByIdQuery([before, after]);
  const { currentData, data, error, isError, refetch } = usePairedRunsQuery(asked, { pollingInterval: active ? AGAIN_MS : 0, refetchOnMountOrArgChange: true });
  const compared = currentData ?? data;
  const going = compared?.runs.some((run) => run.withheld !== null) ?? !isError;
  if (going !== active) setActive(going);
  if (isGone) {
    if (toProblem(gone).status !== 404) return <ErrorMessage error={gone} onRetry={() => void again()} />;
    return (
      <Message icon="ring" title="A run of this comparison is gone">
        <p>{toProblem(gone).detail} It may have been deleted.</p>
        <p className="mt-4"><ButtonLink to="/runs">Choose other runs</ButtonLink></p>
      </Message>
    );
  }
  if (!runs || (!compared && !isError)) return <Skeleton className="h-56" />;
  const [baseline, candidate] = runs;
  if (!baseline || !candidate) return null;
  if (isError && !currentData) {
    if (toProblem(error).status !== 422) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
    return (
      <Section title={`${harmless(candidate.name)} against ${harmless(baseline.name)}`}>
        <div className="px-4 py-3"><ProblemNote error={error} /></div>
        <PairByHand baseline={baseline} candidate={candidate} compared={null} open />
      </Section>
    );
  }
  return compared ? <Compared compared={compared} asked={asked} baseline={baseline} candidate={candidate} /> : null;
}

interface ComparedProps {
  compared: BenchmarksCompared;
  asked: CompareBenchmarks;
  baseline: RunDetail;
  candidate: RunDetail;
}

function Compared({ compared, asked, baseline, candidate }: ComparedProps) {
  const view = useCompareView();
  const { target, setTarget, swap } = usePairView();
  const shown = compared.comparisons.find((each) => each.columns[1]?.target_id === target) ?? compared.comparisons[0];
  const [run] = compared.runs;
  if (!shown || !run) return null;
  const columns = compared.comparisons.flatMap((each) => each.columns.map((one) => ({ runId: one.run_id, targetId: one.target_id })));
  const ofPair = shown.columns.map((one) => ({ runId: one.run_id, targetId: one.target_id }));
  return (
    <>
      <RunVerdictCard run={run} comparisons={compared.comparisons} baseline={baseline} />
      <Section
        title="Pairs of targets"
        aside={
          <div className="flex flex-wrap gap-2 print:hidden">
            <ReportLink query={[["run", baseline.id], ["run", candidate.id], ...(asked.pairs ?? []).map((pair) => ["pair", `${pair.baseline_target_id}:${pair.target_id}`] as const)]} />
            <Button icon="retry" onClick={swap}>Swap the runs</Button>
            <ButtonLink icon="scale" to={compareColumnsHref(columns.slice(0, MOST_COLUMNS))}>Side by side</ButtonLink>
          </div>
        }
      >
        <PairsTable comparisons={compared.comparisons} shown={shown} onShow={setTarget} />
        {compared.unpaired.length > 0 && (
          <div className="border-t border-line px-4 py-3">
            <h3 className="text-xs font-semibold">Not compared</h3>
            <ul aria-label="Not compared" className="mt-1 flex flex-col gap-1 text-xs text-ink-2">
              {compared.unpaired.map((one) => (
                <li key={one.target_id} className="wrap-anywhere">
                  <span className="font-medium text-ink">{harmless(one.label)}</span> of {harmless(one.run_name)}: {harmless(one.reason)}.
                </li>
              ))}
            </ul>
          </div>
        )}
        <PairByHand baseline={baseline} candidate={candidate} compared={compared} open={false} />
      </Section>
      <Suspense fallback={<Skeleton className="h-32" />}>
        <PairIntervals comparisons={compared.comparisons} baseline={harmless(baseline.name)} />
      </Suspense>
      <CasesSection key={ofPair.map((one) => one.targetId).join()} comparison={shown} view={{ ...view, columns: ofPair, baseline: 0, of: null }} />
      <Suspense>
        <GatePanel asked={asked} comparisons={compared.comparisons} />
      </Suspense>
    </>
  );
}
