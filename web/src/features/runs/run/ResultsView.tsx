import { lazy, Suspense, useState } from "react";
import type { RunDetail } from "@/api/generated/orchestrator";
import { Allowed } from "@/components/Allowed";
import { Skeleton } from "@/components/Message";
import { useValue } from "@/live/hooks";
import { loadCode } from "@/live/reach";
import type { RunStore } from "@/live/run-store";
import { AtAGlance } from "../results/AtAGlance";
import { PassesTable } from "../results/PassesTable";
import { SummaryCards } from "../results/SummaryCards";
import { TargetTable } from "../results/TargetTable";
import { isOver } from "../run-words";
import { LogView } from "./LogView";
import { ProgressLine, ProgressPanel } from "./ProgressPanel";
import { RunFacts } from "./RunFacts";

// The answers render first; sections with more code load afterwards.
const EvaluatorSection = lazy(() => loadCode(async () => ({ default: (await import("../results/EvaluatorSection")).EvaluatorSection })));
const CalibrationSection = lazy(() => loadCode(async () => ({ default: (await import("../results/CalibrationSection")).CalibrationSection })));
const QuestionsSection = lazy(() => loadCode(async () => ({ default: (await import("../results/QuestionsSection")).QuestionsSection })));
const GateSection = lazy(() => loadCode(async () => ({ default: (await import("../gates/GateSection")).GateSection })));
const SuiteSection = lazy(() => loadCode(async () => ({ default: (await import("../suite/SuiteSection")).SuiteSection })));

/** Show the progress and the log of an active run, or the results of one that is over. */
export function ResultsView({ run, store, onLoadEarlier }: { run: RunDetail; store: RunStore; onLoadEarlier: () => Promise<boolean> }) {
  const over = isOver(useValue(store.head)?.status ?? run.status);
  // A page that was opened before the end keeps the log, so that nothing jumps.
  const [watched] = useState(!over);
  return (
    <>
      {over ? (
        <>
          <ProgressLine run={run} store={store} />
          <AtAGlance run={run} store={store} />
        </>
      ) : (
        <ProgressPanel run={run} store={store} />
      )}
      {run.gate && (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <GateSection run={run} />
        </Suspense>
      )}
      <TargetTable run={run} />
      <PassesTable results={run.results} />
      <SummaryCards run={run} />
      {watched && <LogView run={run} store={store} onLoadEarlier={onLoadEarlier} />}
      {run.suite && (
        <Suspense fallback={<Skeleton className="h-48" />}>
          <SuiteSection run={run} suite={run.suite} store={store} />
        </Suspense>
      )}
      <Suspense fallback={<Skeleton className="h-48" />}>
        <Allowed right="datasets:create">{over && writesQuestions(run) && <QuestionsSection run={run} />}</Allowed>
        <EvaluatorSection run={run} store={store} />
        <Allowed right="annotation-tasks:read">{over && <CalibrationSection run={run} />}</Allowed>
      </Suspense>
      <RunFacts run={run} store={store} />
    </>
  );
}

/** Return whether the run generates questions with ground truth from a document. */
const writesQuestions = (run: RunDetail) => run.evaluators.some((one) => one.kind === "grounded_questions");
