import { useEffect } from "react";
import type { SavedGate } from "@/api/generated/orchestrator";
import { useCheckSavedGateMutation } from "@/api/baselines";
import { Button } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { FormDialog } from "@/components/Dialog";
import { Skeleton } from "@/components/Message";
import { ProblemNote } from "@/components/Problem";
import { formatCount } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

/** Compare the baseline with itself by a saved gate, and show the false alarms and the planned checks of the judge. */
export function GateCheckDialog({ gate, onClose }: { gate: SavedGate; onClose: () => void }) {
  const [check, checking] = useCheckSavedGateMutation();
  useEffect(() => void check({ id: gate.id }), [check, gate.id]);
  const { data } = checking;
  return (
    <FormDialog open onClose={onClose} title={`Try the gate on ${harmless(gate.title)}`}>
      <div className="mt-3 flex flex-col gap-3">
        <p className="text-ink-2">The baseline is compared with itself many times. Nothing is asked, and nothing is paid for.</p>
        {checking.error !== undefined ? (
          <ProblemNote error={checking.error} />
        ) : !data ? (
          <div role="status" aria-label="Comparing"><Skeleton className="h-16" /></div>
        ) : (
          <ul aria-label="Targets of the baseline" className="flex flex-col gap-3">
            {data.targets.map((target) => (
              <li key={target.target_id} className="min-w-0 wrap-anywhere">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <span className="font-medium">{harmless(target.label)}</span>
                  <Chip label={target.holds ? "Holds" : "Cannot decide"} tone={target.holds ? "good" : "warn"} icon={target.holds ? "check" : "alert"} />
                  <span className="text-xs text-ink-2">
                    {formatCount(target.checks)} comparisons: {formatCount(target.fine)} fine, {formatCount(target.undecided)} undecided, {formatCount(target.worse)} worse
                  </span>
                </p>
                <p className="mt-1 text-ink-2">{harmless(target.sentence)}</p>
              </li>
            ))}
            {data.judge_checks.map((one) => (
              <li key={one.run_id} className="min-w-0 wrap-anywhere text-ink-2">{harmless(one.sentence)}</li>
            ))}
          </ul>
        )}
        <div className="flex justify-end"><Button onClick={onClose}>Close</Button></div>
      </div>
    </FormDialog>
  );
}
