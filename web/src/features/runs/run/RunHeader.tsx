import { Link } from "react-router";
import type { RunDetail } from "@/api/generated/orchestrator";
import { Chip } from "@/components/Chip";
import { Icon } from "@/components/Icon";
import { formatDate, formatDuration, secondsBetween } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useNow } from "@/lib/use-now";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { ExportMenu } from "../ExportMenu";
import { isOver, runLook } from "../run-words";
import { ConnectionStatus } from "./ConnectionStatus";
import { PhaseSteps } from "./PhaseSteps";
import { RunActions } from "./RunActions";

export function RunHeader({ run, store }: { run: RunDetail; store: RunStore }) {
  const head = useValue(store.head);
  const { status, phase, outcome, reason } = head ?? { ...run, reason: run.status_reason };
  return (
    <header className="flex flex-col gap-3">
      <nav aria-label="Breadcrumb" className="text-xs text-ink-2">
        <Link to="/runs" className="inline-flex items-center gap-1 hover:text-ink hover:underline">
          <Icon name="previous" className="size-3" />
          All runs
        </Link>
      </nav>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
          <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{harmless(run.name)}</h1>
          <span role="status">
            <Chip {...runLook(status, outcome)} />
          </span>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <RunActions runId={run.id} name={run.name} status={status} />
          <ExportMenu runId={run.id} label="Export" />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 text-xs text-ink-2">
        <PhaseSteps status={status} phase={phase} />
        <Elapsed run={run} over={isOver(status)} />
        <ConnectionStatus />
        <span>
          Judge <span className="font-medium text-ink">{harmless(run.judge.model)}</span>
        </span>
        <span>Created {formatDate(run.created_at)}</span>
      </div>
      {reason && <p className="text-ink-2">{harmless(reason)}</p>}
    </header>
  );
}

/** Wall-clock time from the start, pauses included. */
function Elapsed({ run, over }: { run: RunDetail; over: boolean }) {
  const now = useNow(!over && run.started_at !== null);
  if (!run.started_at) return <span>Not started</span>;
  const end = run.finished_at ? Date.parse(run.finished_at) : now;
  return (
    <span>
      {over ? "Took" : "Elapsed"}{" "}
      <span className="font-medium text-ink">{formatDuration(secondsBetween(run.started_at, end))}</span>
    </span>
  );
}
