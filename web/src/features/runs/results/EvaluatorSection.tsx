import { lazy, Suspense, useState } from "react";
import type { EvaluatorOut, RunDetail } from "@/api/generated/orchestrator";
import { usePromoteRevisionMutation } from "@/api/runs";
import { Button } from "@/components/Button";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { judgedBy } from "@/lib/judged-by";
import { harmless } from "@/lib/plain-text";
import { useMay } from "@/lib/rights";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { EvaluatorTable } from "./EvaluatorTable";
import { loadCode } from "@/live/reach";

// The form covers every option of the evaluators and most visits never open it.
const AddEvaluatorsDialog = lazy(() => loadCode(async () => ({ default: (await import("../evaluators/AddEvaluatorsDialog")).AddEvaluatorsDialog })));

/** Each evaluator's own results, and the button that adds evaluators. */
export function EvaluatorSection({ run, store }: { run: RunDetail; store: RunStore }) {
  const status = useValue(store.head)?.status ?? run.status;
  const [adding, setAdding] = useState(false);
  const [promote, promoting] = usePromoteRevisionMutation();
  const mayPromote = useMay("runs:create");
  const isOver = status === "FINISHED" || status === "CANCELLED";
  const onPromote = async (one: EvaluatorOut) => {
    const answer = await promote({ runId: run.id, promoteRevision: { revision_id: one.revision_id } });
    if (!answer.error) toast(`The run’s figures now come from ${one.judge_model || one.corrects ? judgedBy(one, run.evaluators) : harmless(one.name)}.`);
  };
  return (
    <Section
      title="Results by evaluator"
      aside={
        status === "FINISHED" ? (
          <Button icon="plus" right="runs:create" onClick={() => setAdding(true)}>Add evaluators</Button>
        ) : (
          <p className="text-xs text-ink-2">{status === "CANCELLED" ? "A cancelled run takes no more evaluators" : "More can be added once the run is finished"}</p>
        )
      }
    >
      {promoting.error !== undefined && <div className="px-4 pt-3"><ProblemNote error={promoting.error} /></div>}
      {run.evaluators.length > 0 ? <EvaluatorTable evaluators={run.evaluators} {...(mayPromote && isOver && !promoting.isLoading && { onPromote: (one: EvaluatorOut) => void onPromote(one) })} /> : <p className="px-4 py-8 text-center text-ink-2">Results appear with the first scores.</p>}
      <Suspense>{adding && <AddEvaluatorsDialog run={run} onClose={() => setAdding(false)} />}</Suspense>
    </Section>
  );
}
