import { useId, useState } from "react";
import { useConcludeExperimentMutation, useGetExperimentResultsQuery } from "@/api/experiments";
import type { ExperimentOut } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { FieldError, TextAreaField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { harmless } from "@/lib/plain-text";

const NO_WINNER = "no_winner";

/** Declare a winner, or none. */
export function ConcludeDialog({ experiment, onClose }: { experiment: ExperimentOut; onClose: () => void }) {
  const id = useId();
  const { data } = useGetExperimentResultsQuery({ experimentId: experiment.experiment_id });
  const [conclude, { isLoading, error }] = useConcludeExperimentMutation();
  const [winner, setWinner] = useState(data?.analysis?.winner ?? "");
  const [notes, setNotes] = useState("");
  const [isTried, setTried] = useState(false);
  const isMissing = isTried && winner === "";
  const suggested = data?.analysis?.winner ?? null;
  const choices = [...experiment.variants.map((one) => ({ value: one.variant_id, label: harmless(one.name), hint: one.is_control ? "The control: keep what is in use today." : one.out_reason ? harmless(one.out_reason) : null })), { value: NO_WINNER, label: "No winner", hint: "The question stays open, or the variants are equally good." }];
  const submit = async () => {
    setTried(true);
    if (winner === "" || isLoading) return;
    const answer = await conclude({ experimentId: experiment.experiment_id, concludeIn: { winner, ...(notes.trim() !== "" && { notes: notes.trim() }) } });
    if (answer.error) return;
    toast("The experiment is concluded.");
    onClose();
  };
  return (
    <FormDialog open onClose={onClose} title="Conclude the experiment">
      <form
        noValidate
        className="mt-3 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {!experiment.stopped && <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">It has not decided by itself yet. A round that is still running is cancelled, and the experiment cannot be resumed.</p>}
        {data?.analysis && <p className="text-ink-2">{harmless(data.analysis.sentence)}</p>}
        <fieldset className="flex min-w-0 flex-col gap-2">
          <legend className="mb-1.5 text-xs font-medium text-ink-2">Winner</legend>
          {choices.map((one) => (
            <div key={one.value} className="flex items-start gap-2">
              <input type="radio" id={`${id}-${one.value}`} name={`${id}-winner`} checked={winner === one.value} onChange={() => setWinner(one.value)} className="mt-0.5 size-4 shrink-0 accent-accent" />
              <div className="min-w-0">
                <label htmlFor={`${id}-${one.value}`} className="wrap-anywhere">{one.label}{one.value === suggested && <span className="text-good"> (by the analysis)</span>}</label>
                {one.hint && <p className="text-xs wrap-anywhere text-ink-3">{one.hint}</p>}
              </div>
            </div>
          ))}
          {isMissing && <FieldError>Choose a winner, or “No winner”.</FieldError>}
        </fieldset>
        <TextAreaField label="Notes" hint="Why, and what happens next. They are part of the decision record." rows={3} maxLength={10_000} value={notes} onChange={setNotes} />
        {error !== undefined && <ProblemNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Go back</Button>
          <Button type="submit" kind="primary" disabled={isLoading}>{isLoading ? "Working…" : "Conclude"}</Button>
        </div>
      </form>
    </FormDialog>
  );
}
