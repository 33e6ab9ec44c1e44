import { useState } from "react";
import type { OverrulingOut, ScoreOut } from "@/api/generated/orchestrator";
import { useListOverrulingsQuery, useOverruleScoreMutation, useWithdrawOverrulingMutation } from "@/api/overrulings";
import { useCreator } from "@/api/creator";
import { Button } from "@/components/Button";
import { NumberField, TextAreaField, TextField } from "@/components/Field";
import { Moment } from "@/components/Moment";
import { ProblemNote } from "@/components/Problem";
import { errorAt } from "@/lib/form-errors";
import { formatScore, plural } from "@/lib/format";
import { useOwnName } from "@/lib/own-name";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";

interface Props {
  runId: string;
  itemId: string;
  score: ScoreOut;
  /** The name of the evaluator, for screen readers. */
  name: string;
}

const MOST_CHARACTERS = 2000;

/** A person's score in the place of a judge's: who gave it and why, the form that gives it, and the history. */
export default function Overruling({ runId, itemId, score, name }: Props) {
  const revisionId = score.evaluator_revision_id;
  const history = useListOverrulingsQuery({ runId, itemId });
  const [editing, setEditing] = useState(false);
  const changes = history.currentData?.items.filter((one) => one.evaluator_revision_id === revisionId) ?? [];
  const [last, ...earlier] = changes;
  const holding = last && last.score !== null ? last : null;
  if (history.isError) return <ProblemNote error={history.error} />;
  if (!history.currentData) return null;
  return (
    <section aria-label={`Overruling of ${name}`} className="flex flex-col gap-2">
      {holding && <div className="rounded-md bg-info-soft px-3 py-2"><Change of={holding} /></div>}
      {editing ? (
        <OverruleForm runId={runId} itemId={itemId} score={score} held={holding} onClose={() => setEditing(false)} />
      ) : (
        <div className="flex flex-wrap items-start gap-2">
          <Button icon="pencil" right="runs:update" onClick={() => setEditing(true)}>{holding ? "Change" : "Overrule"}<span className="sr-only"> the score of {name}</span></Button>
          {holding && <Withdraw runId={runId} itemId={itemId} revisionId={revisionId} name={name} />}
        </div>
      )}
      {(earlier.length > 0 || (last && !holding)) && (
        <details>
          <summary className="cursor-pointer text-xs font-medium text-ink-2">{plural((holding ? earlier : changes).length, "earlier change")}</summary>
          <ul className="mt-1.5 flex flex-col gap-1.5 text-ink-2">
            {(holding ? earlier : changes).map((one) => <li key={one.number}><Change of={one} /></li>)}
          </ul>
        </details>
      )}
    </section>
  );
}

function Change({ of }: { of: OverrulingOut }) {
  const [creator] = useCreator(of.created_by);
  const who = of.given_name ? harmless(of.given_name) : (creator?.[1] ?? "a person");
  return (
    <p className="wrap-anywhere">
      <span className="font-semibold">{of.score === null ? "Withdrawn" : `${formatScore(of.judge_score)} → ${formatScore(of.score)}`}</span> by <bdi>{who}</bdi>
      {of.reason !== null && <>: <bdi>{harmless(of.reason)}</bdi></>}
      <span className="text-xs text-ink-2">, <Moment at={of.created_at} /></span>
    </p>
  );
}

interface FormProps extends Omit<Props, "name"> {
  held: OverrulingOut | null;
  onClose: () => void;
}

function OverruleForm({ runId, itemId, score, held, onClose }: FormProps) {
  const who = useOwnName();
  const [value, setValue] = useState<number | null>(held?.score ?? null);
  const [reason, setReason] = useState(held?.reason ?? "");
  const [overrule, sending] = useOverruleScoreMutation();
  const fields = toProblem(sending.error).fields;
  const isOnScale = value !== null && value >= score.scale_min && value <= score.scale_max;
  const submit = async () => {
    if (value === null) return;
    const overruled = await overrule({ runId, itemId, revisionId: score.evaluator_revision_id, overrule: { score: value, reason: reason.trim(), ...(who.given && { by: who.given }) } });
    if (!overruled.error) onClose();
  };
  return (
    <form
      aria-label="Overrule"
      className="flex flex-col gap-3 rounded-md border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <NumberField label={`Score, ${formatScore(score.scale_min)} to ${formatScore(score.scale_max)}`} required min={score.scale_min} max={score.scale_max} value={value} onChange={setValue} error={errorAt(fields, "score")} />
        {who.isAsked && <TextField label="Your name" required maxLength={120} value={who.name} onChange={who.keep} error={errorAt(fields, "by")} />}
      </div>
      <TextAreaField label="Reason" required maxLength={MOST_CHARACTERS} value={reason} onChange={setReason} error={errorAt(fields, "reason")} />
      <p className="text-xs text-ink-2">The judge’s score stays. Yours counts in the results “corrected by people”, which you can make the primary ones.</p>
      {sending.error !== undefined && <ProblemNote error={sending.error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={sending.isLoading || !isOnScale || reason.trim() === "" || !who.isNamed}>Overrule</Button>
      </div>
    </form>
  );
}

/** The button that withdraws a person's score. It asks for a name first, if none is known. */
function Withdraw({ runId, itemId, revisionId, name }: { runId: string; itemId: string; revisionId: string; name: string }) {
  const who = useOwnName();
  const [asking, setAsking] = useState(false);
  const [withdraw, sending] = useWithdrawOverrulingMutation();
  const send = () => void withdraw({ runId, itemId, revisionId, ...(who.given && { by: who.given }) });
  return (
    <>
      {asking && (
        <form
          aria-label="Withdraw"
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <TextField label="Your name" required maxLength={120} value={who.name} onChange={who.keep} />
          <Button type="submit" disabled={sending.isLoading || !who.isNamed}>Withdraw</Button>
        </form>
      )}
      {!asking && (
        <Button icon="cross" right="runs:update" disabled={sending.isLoading} onClick={() => (who.isNamed ? send() : setAsking(true))}>
          Withdraw<span className="sr-only"> the overruling of {name}</span>
        </Button>
      )}
      {sending.error !== undefined && <ProblemNote error={sending.error} />}
    </>
  );
}
