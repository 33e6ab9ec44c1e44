import { lazy, Suspense, useState } from "react";
import type { RunDetail } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { Section } from "@/components/Section";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { EvaluatorTable } from "./EvaluatorTable";

// A form with all that evaluators can be told: most visits never open it.
const AddEvaluatorsDialog = lazy(async () => ({ default: (await import("../evaluators/AddEvaluatorsDialog")).AddEvaluatorsDialog }));

/** What each evaluator says of the run by itself, and the way to ask further ones. */
export function EvaluatorSection({ run, store }: { run: RunDetail; store: RunStore }) {
  const status = useValue(store.head)?.status ?? run.status;
  const [adding, setAdding] = useState(false);
  return (
    <Section
      title="Results by evaluator"
      aside={
        status === "FINISHED" ? (
          <Button icon="plus" onClick={() => setAdding(true)}>Add evaluators</Button>
        ) : (
          <p className="text-xs text-ink-2">{status === "CANCELLED" ? "Those it was started with" : "More can be added once the run is finished"}</p>
        )
      }
    >
      {run.evaluators.length > 0 ? <EvaluatorTable evaluators={run.evaluators} /> : <p className="px-4 py-8 text-center text-ink-2">Results appear with the first scores.</p>}
      <Suspense>{adding && <AddEvaluatorsDialog run={run} onClose={() => setAdding(false)} />}</Suspense>
    </Section>
  );
}
