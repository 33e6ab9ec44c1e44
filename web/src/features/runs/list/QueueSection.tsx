import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import type { RunSummary } from "@/api/generated/orchestrator";
import { useCancelRunMutation, useMoveRunMutation } from "@/api/runs";
import { IconButton } from "@/components/Button";
import { ProblemNote } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { loadCode } from "@/live/reach";
import { startText } from "../queue-words";

const CancelDialog = lazy(() => loadCode(async () => ({ default: (await import("../run/CancelDialog")).CancelDialog })));

/** The queued runs in the order of their turns, with what changes the order. */
export default function QueueSection({ runs }: { runs: readonly RunSummary[] }) {
  const [move, moving] = useMoveRunMutation();
  const [cancel, cancelling] = useCancelRunMutation();
  const [asking, setAsking] = useState<RunSummary | null>(null);
  const error = moving.error ?? cancelling.error;
  const busy = moving.isLoading || cancelling.isLoading;
  const to = (run: RunSummary, position: number) => void move({ runId: run.id, moveRun: { position } });
  return (
    <section aria-label="Queue" className="card overflow-hidden">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line bg-sunken px-4 py-2.5">
        <h2 className="text-sm font-semibold">Queue</h2>
        <p className="text-xs text-ink-2">{runs.length === 1 ? "1 run waits" : `${runs.length} runs wait`} until no run is active.</p>
      </header>
      {error && <div className="px-4 pt-3"><ProblemNote error={error} /></div>}
      <ol className="divide-y divide-line">
        {runs.map((run, index) => (
          <li key={run.id} className="flex items-center gap-3 px-4 py-2">
            <span className="w-6 shrink-0 text-right font-semibold text-ink-2">{index + 1}</span>
            <div className="min-w-0 grow sm:flex sm:items-baseline sm:gap-x-4">
              <Link to={`/runs/${run.id}`} className="font-medium wrap-anywhere hover:text-accent hover:underline">{harmless(run.name)}</Link>
              <p className="truncate text-xs text-ink-2">{run.targets.map((one) => harmless(one.label)).join(", ")}</p>
              <p className="text-xs text-ink-2 sm:ml-auto sm:text-right sm:whitespace-nowrap">
                {run.queue && run.queue.priority !== 0 && <>Priority {run.queue.priority} · </>}
                {startText(run.queue)}
              </p>
            </div>
            <div className="flex shrink-0">
              <IconButton icon="up" right="runs:create" label={`Move ${harmless(run.name)} up`} disabled={busy || index === 0} onClick={() => to(run, index)} />
              <IconButton icon="down" right="runs:create" label={`Move ${harmless(run.name)} down`} className="max-sm:hidden" disabled={busy || index === runs.length - 1} onClick={() => to(run, index + 2)} />
              <IconButton icon="stop" right="runs:create" label={`Cancel ${harmless(run.name)}`} disabled={busy} onClick={() => setAsking(run)} />
            </div>
          </li>
        ))}
      </ol>
      <Suspense>
        {asking && (
          <CancelDialog
            open
            queued
            name={asking.name}
            onClose={() => setAsking(null)}
            onConfirm={() => {
              setAsking(null);
              void cancel({ runId: asking.id });
            }}
          />
        )}
      </Suspense>
    </section>
  );
}
