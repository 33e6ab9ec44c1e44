import { Link } from "react-router";
import { Button } from "@/components/Button";
import { CheckField, FieldError, NumberField, TextField } from "@/components/Field";
import { Icon } from "@/components/Icon";
import { ProblemNote } from "@/components/Problem";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { sumText } from "./estimate-words";
import type { Estimate } from "./useEstimate";
import type { RunSize } from "./run-form";
import { MOST_CHARACTERS } from "./run-name";

interface Props {
  name: string;
  nameError?: string | undefined;
  onName: (name: string) => void;
  size: RunSize;
  /** Cases of datasets are among the tasks. */
  hasCases: boolean;
  /** No judge is asked. */
  byProgram: boolean;
  /** Tasks may be counted twice where collections overlap. */
  upperBound: boolean;
  /** The number of all cases, if the run has a sample of them. */
  sampledFrom: number | null;
  estimate: Estimate;
  /** Says what is known of the cost of models that have not run here. */
  priceNote: string | null;
  missing: readonly string[];
  selfJudged: readonly string[];
  allowSelfJudging: boolean;
  selfJudgingError?: string | undefined;
  onAllowSelfJudging: (allowed: boolean) => void;
  busy: boolean;
  error: unknown;
  /** The run that is active, so that this one has to wait in the queue. */
  active: { id: string; name: string } | null;
  /** The place in the queue, of a run that has to wait; null is the usual one. */
  priority: number | null;
  priorityError?: string | undefined;
  onPriority: (priority: number | null) => void;
  onQueue: () => void;
  onSchedule: () => void;
}

/** The name of the run, and a preview: its size, duration and cost. */
export function PlanCard({ name, nameError, onName, size, hasCases, byProgram, upperBound, sampledFrom, estimate, priceNote, missing, selfJudged, allowSelfJudging, selfJudgingError, onAllowSelfJudging, busy, error, active, priority, priorityError, onPriority, onQueue, onSchedule }: Props) {
  const about = upperBound ? "at most " : "";
  return (
    <section aria-label="Before the start" className="card flex flex-col gap-3 p-4 lg:sticky lg:top-4">
      <TextField label="Name" required placeholder="Its models and cases" maxLength={MOST_CHARACTERS} value={name} title={harmless(name)} error={nameError} onChange={onName} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Fact name={hasCases ? "Tasks and cases" : "Tasks"} value={size.tasks === 0 ? "–" : `${about}${formatCount(size.tasks)}${sampledFrom === null ? "" : ` of ${formatCount(sampledFrom)}`}`} />
        <Fact name="Items" value={size.items === 0 ? "–" : `${about}${formatCount(size.items)}`} />
        <Fact name="Model calls" value={size.calls === 0 ? "–" : `${size.isCounted ? about : "about "}${formatCount(size.calls)}`} />
        <Fact name="Answers" value={size.items === 0 ? "–" : sumText(estimate.answers)} />
        <Fact name="Judging" value={byProgram ? "by program" : size.items === 0 ? "–" : sumText(estimate.judging)} />
      </dl>
      <p className="text-xs text-ink-3">{howKnown(estimate, upperBound)}{!size.isCounted && " Some evaluators take more than one call per verdict."}{priceNote && ` ${priceNote}`}</p>
      {selfJudged.length > 0 && (
        <div className="rounded-md bg-warn-soft px-3 py-2">
          <p className="flex items-start gap-1.5 text-xs text-warn">
            <Icon name="alert" className="mt-px size-3.5" />
            <span>The judge would score its own answers ({selfJudged.map(harmless).join(", ")}), and models favour their own.</span>
          </p>
          <CheckField className="mt-2" label="Let it judge its own answers" checked={allowSelfJudging} onChange={onAllowSelfJudging} />
          {selfJudgingError && <FieldError>{selfJudgingError}</FieldError>}
        </div>
      )}
      {error !== undefined && <Refused error={error} busy={busy} onQueue={onQueue} />}
      {active && (
        <>
          <p className="text-xs text-ink-2">
            <Link to={`/runs/${active.id}`} className="font-medium wrap-anywhere text-accent hover:underline">{harmless(active.name)}</Link> is active. This run waits in the queue and starts by itself.
          </p>
          <NumberField label="Priority" hint="Higher ones start first." min={-100} max={100} step={1} placeholder="0" value={priority} error={priorityError} onChange={onPriority} />
        </>
      )}
      <Button kind="primary" icon={active ? "clock" : "play"} type="submit" disabled={busy} className="h-9 w-full">
        {active ? (busy ? "Queueing…" : "Queue the run") : busy ? "Starting…" : "Start the run"}
      </Button>
      <Button icon="clock" disabled={busy} className="w-full" onClick={onSchedule}>Schedule it…</Button>
      {missing.length > 0 && (
        <div className="text-xs text-ink-2">
          <p>Still missing:</p>
          <ul className="mt-1 list-disc pl-4">
            {missing.map((one) => <li key={one}>{one}</li>)}
          </ul>
        </div>
      )}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="text-right font-medium">{value}</dd>
    </>
  );
}

function howKnown({ known, models }: Estimate, upperBound: boolean): string {
  const overlap = upperBound ? " A task that is in two collections is asked once." : "";
  if (models === 0) return `A call for each answer, one for each verdict, and one to warm each model up.${overlap}`;
  if (known === 0) return `None of these models has run here before, so their time is not known.${overlap}`;
  return `From earlier runs of ${known === models ? plural(models, "model") : `${known} of ${plural(models, "model")}`}.${overlap}`;
}

/** The error of a refused start, with a link to the active run. */
function Refused({ error, busy, onQueue }: { error: unknown; busy: boolean; onQueue: () => void }) {
  const { status, body, fields } = toProblem(error);
  const active = status === 409 && typeof body.active_run_id === "string" ? body.active_run_id : null;
  if (Object.keys(fields).length > 0) return <p role="alert" className="text-xs text-bad">{Object.keys(fields).length === 1 ? "1 field needs a correction: see the message next to it." : `${Object.keys(fields).length} fields need a correction: see the messages next to them.`}</p>;
  return (
    <div className="flex flex-col gap-2">
      <ProblemNote error={error} />
      {active && (
        <>
          <Link to={`/runs/${active}`} className="font-medium text-accent underline underline-offset-2">
            Go to the active run
          </Link>
          <Button icon="clock" disabled={busy} onClick={onQueue}>Queue it behind that run</Button>
        </>
      )}
    </div>
  );
}
