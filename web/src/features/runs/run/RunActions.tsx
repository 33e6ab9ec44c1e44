import { lazy, Suspense, useState } from "react";
import type { RunDetail, RunStatus } from "@/api/generated/orchestrator";
import { useCancelRunMutation, useMoveRunMutation, usePauseRunMutation, useResumeRunMutation } from "@/api/runs";
import { Button } from "@/components/Button";
import { ProblemNote } from "@/components/Problem";
import { allows, isOver } from "../run-words";
import { loadCode } from "@/live/reach";

const CancelDialog = lazy(() => loadCode(async () => ({ default: (await import("./CancelDialog")).CancelDialog })));
const ResumeDialog = lazy(() => loadCode(async () => ({ default: (await import("./ResumeDialog")).ResumeDialog })));

interface Props {
  run: RunDetail;
  status: RunStatus;
}

/** Pause and resume share a place, because only one of them is ever possible. */
export function RunActions({ run, status }: Props) {
  const { id: runId, name } = run;
  const [pause, pausing] = usePauseRunMutation();
  const [resume, resuming] = useResumeRunMutation();
  const [cancel, cancelling] = useCancelRunMutation();
  const [move, moving] = useMoveRunMutation();
  const [asking, setAsking] = useState(false);
  const [raising, setRaising] = useState(false);
  const spentAll = run.max_cost_usd !== null && run.cost_usd >= run.max_cost_usd;
  if (isOver(status)) return null;
  const error = pausing.error ?? resuming.error ?? cancelling.error ?? moving.error;
  return (
    <>
      {error && <ProblemNote error={error} />}
      {status === "PAUSED" ? (
        <Button kind="primary" icon="play" right="runs:create" className="min-w-26" disabled={!allows(status, "resume") || resuming.isLoading} onClick={() => (spentAll ? setRaising(true) : void resume({ runId, body: null }))}>
          Resume
        </Button>
      ) : status === "QUEUED" ? (
        <Button icon="up" right="runs:create" disabled={run.queue?.position === 1 || moving.isLoading} onClick={() => void move({ runId, moveRun: { position: 1 } })}>
          Move to the front
        </Button>
      ) : (
        <Button icon="pause" right="runs:create" className="min-w-26" disabled={!allows(status, "pause") || pausing.isLoading} onClick={() => void pause({ runId })}>
          {status === "PAUSING" ? "Pausing…" : "Pause"}
        </Button>
      )}
      <Button kind="danger" icon="stop" right="runs:create" disabled={!allows(status, "cancel") || cancelling.isLoading} onClick={() => setAsking(true)}>
        Cancel
      </Button>
      <Suspense>
        {raising && status === "PAUSED" && (
          <ResumeDialog
            key={run.cost_usd}
            open
            spent={run.cost_usd}
            limit={run.max_cost_usd ?? 0}
            onClose={() => setRaising(false)}
            onResume={(limit) => {
              setRaising(false);
              void resume({ runId, body: { max_cost_usd: limit } });
            }}
          />
        )}
        {asking && allows(status, "cancel") && (
          <CancelDialog
            open
            queued={status === "QUEUED"}
            name={name}
            onClose={() => setAsking(false)}
            onConfirm={() => {
              setAsking(false);
              void cancel({ runId });
            }}
          />
        )}
      </Suspense>
    </>
  );
}
