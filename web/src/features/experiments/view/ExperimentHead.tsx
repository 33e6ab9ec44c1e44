import { useState } from "react";
import { useArchiveExperimentMutation, usePauseExperimentMutation, useResumeExperimentMutation } from "@/api/experiments";
import type { ExperimentOut } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { CreatedBy } from "@/components/CreatedBy";
import { PageHead } from "@/components/PageHead";
import { ProblemNote } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { methodLabel, statusLook, typeLabel } from "../experiment-words";
import { ConcludeDialog } from "./ConcludeDialog";

/** The name, the state and what can be done now. */
export function ExperimentHead({ experiment }: { experiment: ExperimentOut }) {
  const { experiment_id: experimentId, status, stopped } = experiment;
  const [isConcluding, setConcluding] = useState(false);
  const [pause, pausing] = usePauseExperimentMutation();
  const [resume, resuming] = useResumeExperimentMutation();
  const [archive, archiving] = useArchiveExperimentMutation();
  const error = pausing.error ?? resuming.error ?? archiving.error;
  const isOpen = status === "RUNNING" || status === "PAUSED";
  return (
    <>
      <PageHead
        title={harmless(experiment.name)}
        parent={{ to: "/experiments", label: "All experiments" }}
        note={<span className="inline-flex flex-wrap items-center gap-2"><Chip {...statusLook(experiment)} />{typeLabel(experiment.type)}, {methodLabel(experiment.config.method).toLowerCase()}<CreatedBy id={experiment.created_by} /></span>}
        actions={
          <>
            {status === "RUNNING" && <Button icon="pause" right="experiments:update" disabled={pausing.isLoading} onClick={() => void pause({ experimentId })}>Pause</Button>}
            {status === "PAUSED" && !stopped && <Button icon="play" right="experiments:update" disabled={resuming.isLoading} onClick={() => void resume({ experimentId })}>Resume</Button>}
            {isOpen && <Button kind={stopped ? "primary" : "plain"} icon="check" right="experiments:update" onClick={() => setConcluding(true)}>Conclude…</Button>}
            {status === "CONCLUDED" && <Button right="experiments:update" disabled={archiving.isLoading} onClick={() => void archive({ experimentId })}>Archive</Button>}
          </>
        }
      />
      {experiment.hypothesis && <p className="-mt-2 max-w-3xl wrap-anywhere text-ink-2">{harmless(experiment.hypothesis)}</p>}
      {error !== undefined && <ProblemNote error={error} />}
      {isConcluding && <ConcludeDialog experiment={experiment} onClose={() => setConcluding(false)} />}
    </>
  );
}
