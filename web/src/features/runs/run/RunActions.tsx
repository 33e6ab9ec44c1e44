import { useState } from "react";
import type { RunStatus } from "@/api/generated/orchestrator";
import { useCancelRunMutation, usePauseRunMutation, useResumeRunMutation } from "@/api/runs";
import { Button } from "@/components/Button";
import { ProblemNote } from "@/components/Message";
import { allows, isOver } from "../run-words";
import { CancelDialog } from "./CancelDialog";

interface Props {
  runId: string;
  name: string;
  status: RunStatus;
}

/** Pause and resume share a place, because only one of them can ever make sense. */
export function RunActions({ runId, name, status }: Props) {
  const [pause, pausing] = usePauseRunMutation();
  const [resume, resuming] = useResumeRunMutation();
  const [cancel, cancelling] = useCancelRunMutation();
  const [asking, setAsking] = useState(false);
  if (isOver(status)) return null;
  const error = pausing.error ?? resuming.error ?? cancelling.error;
  return (
    <>
      {error && <ProblemNote error={error} />}
      {status === "PAUSED" ? (
        <Button kind="primary" icon="play" className="min-w-26" disabled={!allows(status, "resume") || resuming.isLoading} onClick={() => void resume({ runId, body: null })}>
          Resume
        </Button>
      ) : (
        <Button icon="pause" className="min-w-26" disabled={!allows(status, "pause") || pausing.isLoading} onClick={() => void pause({ runId })}>
          {status === "PAUSING" ? "Pausing…" : "Pause"}
        </Button>
      )}
      <Button kind="danger" icon="stop" disabled={!allows(status, "cancel") || cancelling.isLoading} onClick={() => setAsking(true)}>
        Cancel
      </Button>
      <CancelDialog
        open={asking && allows(status, "cancel")}
        name={name}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void cancel({ runId });
        }}
      />
    </>
  );
}
