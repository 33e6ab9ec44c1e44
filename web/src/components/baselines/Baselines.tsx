import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import type { BaselineOut, Promotion, SavedGate } from "@/api/generated/orchestrator";
import { useDeleteBaselineMutation, useDeleteGateMutation, useGetBaselineHistoryQuery, useListBaselinesQuery } from "@/api/baselines";
import { useCreator } from "@/api/creator";
import { Button, IconButton } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { DeleteDialog } from "@/components/DeleteDialog";
import { Disclosure } from "@/components/Disclosure";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatChance, formatCount, formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { loadCode } from "@/live/reach";

const GateDialog = lazy(() => loadCode(async () => ({ default: (await import("./GateDialog")).GateDialog })));
const GateCheckDialog = lazy(() => loadCode(async () => ({ default: (await import("./GateCheckDialog")).GateCheckDialog })));

/** The suite or preset whose runs are compared. A gate of a suite may be on one of its `tasks`. */
export type Subject = { kind: "suite"; id: string; tasks: readonly string[] } | { kind: "preset"; id: string };

const NONE = {
  suite: "There is none yet. Open a finished run of this suite and choose “Promote to baseline” in its menu. Each later run of the suite, of any version, is then compared with it when it ends.",
  preset: "There is none yet. Open a finished run, choose “Promote to baseline” in its menu, and this preset there. Each later run of the preset is then compared with it when it ends.",
};

/** The baselines of a suite, which all of its versions share, or of a preset, with their gates. */
export function Baselines({ subject }: { subject: Subject }) {
  const query = useListBaselinesQuery({ subjectKind: subject.kind, subjectId: subject.id }, { refetchOnMountOrArgChange: true });
  const baselines = query.currentData?.items;
  return (
    <Section title="Baselines">
      {query.isError && !baselines ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : !baselines ? (
        <p className="px-4 py-3 text-ink-2">Loading…</p>
      ) : baselines.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">
          {NONE[subject.kind]}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {baselines.map((one) => (
            <Baseline key={one.id} subject={subject} baseline={one} />
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The dialog that is open. */
type Open = { of: "add" | "remove baseline" } | { of: "change" | "try" | "remove gate"; gate: SavedGate };

function Baseline({ subject, baseline }: { subject: Subject; baseline: BaselineOut }) {
  const [open, setOpen] = useState<Open | null>(null);
  const label = harmless(baseline.label);
  return (
    <li aria-label={`Baseline ${label}`} className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 wrap-anywhere">
          <span className="font-medium">{label}</span>: <RunLink run={baseline.run} />
          <span className="text-ink-2">
            {baseline.anchor.id === baseline.run.id ? ", also the anchor" : <>; anchor: <RunLink run={baseline.anchor} /></>}; since {formatDate(baseline.updated_at)}
          </span>
        </p>
        <div className="flex gap-1">
          <Button icon="plus" right="runs:create" onClick={() => setOpen({ of: "add" })}>Add a gate</Button>
          <IconButton icon="trash" label={`Delete the baseline ${label}`} right="runs:delete" onClick={() => setOpen({ of: "remove baseline" })} />
        </div>
      </div>
      {baseline.gates.length === 0 ? (
        <p className="text-ink-2">No gate yet, so no run is compared with it.</p>
      ) : (
        <ul aria-label={`Gates of ${label}`} className="flex flex-col gap-1">
          {baseline.gates.map((gate) => (
            <Gate key={gate.id} gate={gate} onOpen={(of) => setOpen({ of, gate })} />
          ))}
        </ul>
      )}
      {baseline.probability_fine !== null && baseline.gates.length > 1 && (
        <p className="text-xs text-ink-2">An unchanged model is fine by all of them in at least {Math.floor(baseline.probability_fine * 100)} of 100 runs.</p>
      )}
      <Disclosure title="History"><History baseline={baseline} /></Disclosure>
      {open && <Dialogs subject={subject} baseline={baseline} open={open} onClose={() => setOpen(null)} />}
    </li>
  );
}

function Gate({ gate, onOpen }: { gate: SavedGate; onOpen: (of: "change" | "try" | "remove gate") => void }) {
  const title = harmless(gate.title);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0 font-medium wrap-anywhere">{sentenceCase(title)}</span>
      <span className="text-xs text-ink-2">margin {percent(gate.margin)} {gate.relative ? "%" : "points"}{gate.undecided === "ok" && ", forgives undecided"}</span>
      <Chip label={`Fine in ${formatChance(gate.probability_fine)} of 100 if unchanged`} tone={gate.holds ? "good" : "warn"} icon={gate.holds ? "check" : "alert"} />
      <span className="text-xs text-ink-2">{formatCount(gate.clusters)} clusters</span>
      <div className="flex">
        <IconButton icon="scale" label={`Try the gate on ${title}`} onClick={() => onOpen("try")} />
        <IconButton icon="pencil" label={`Change the gate on ${title}`} right="runs:update" onClick={() => onOpen("change")} />
        <IconButton icon="trash" label={`Delete the gate on ${title}`} right="runs:delete" onClick={() => onOpen("remove gate")} />
      </div>
    </li>
  );
}

function Dialogs({ subject, baseline, open, onClose }: { subject: Subject; baseline: BaselineOut; open: Open; onClose: () => void }) {
  const [removeGate, removingGate] = useDeleteGateMutation();
  const [removeBaseline, removingBaseline] = useDeleteBaselineMutation();
  if (open.of === "remove gate") {
    return (
      <DeleteDialog
        title="Delete this gate?"
        name={sentenceCase(open.gate.title)}
        busy={removingGate.isLoading}
        error={removingGate.error}
        onClose={onClose}
        onConfirm={() => void removeGate({ id: open.gate.id }).then(({ error }) => error ?? onClose())}
      >
        will not compare later runs. Verdicts on earlier runs stay.
      </DeleteDialog>
    );
  }
  if (open.of === "remove baseline") {
    return (
      <DeleteDialog
        title="Delete this baseline?"
        name={baseline.label}
        busy={removingBaseline.isLoading}
        error={removingBaseline.error}
        onClose={onClose}
        onConfirm={() => void removeBaseline({ id: baseline.id }).then(({ error }) => error ?? onClose())}
      >
        will not compare later runs. Its gates and its history are deleted with it. Its runs and the verdicts on earlier runs stay.
      </DeleteDialog>
    );
  }
  return (
    <Suspense>
      {open.of === "try" ? <GateCheckDialog gate={open.gate} onClose={onClose} /> : <GateDialog subject={subject} baseline={baseline} {...(open.of === "change" && { gate: open.gate })} onClose={onClose} />}
    </Suspense>
  );
}

function History({ baseline }: { baseline: BaselineOut }) {
  const query = useGetBaselineHistoryQuery({ id: baseline.id, limit: 100 });
  if (query.isError) return <ProblemNote error={query.error} />;
  if (!query.data) return <p className="text-ink-2">Loading…</p>;
  return (
    <ol aria-label={`History of ${harmless(baseline.label)}`} className="flex flex-col gap-1">
      {query.data.items.map((one) => (
        <PromotionLine key={one.id} promotion={one} />
      ))}
    </ol>
  );
}

function PromotionLine({ promotion }: { promotion: Promotion }) {
  const [creator] = useCreator(promotion.created_by);
  return (
    <li className="min-w-0 text-ink-2 wrap-anywhere">
      {formatDate(promotion.created_at)}:{" "}
      {promotion.run_id ? <RunLink run={{ id: promotion.run_id, name: promotion.run_name }} /> : <span className="text-ink">{harmless(promotion.run_name)} (removed)</span>} became{" "}
      {promotion.role === "both" ? "baseline and anchor" : `the ${promotion.role}`}{creator && ` (${creator[1]})`}{promotion.note && `: ${harmless(promotion.note)}`}
    </li>
  );
}

const RunLink = ({ run }: { run: { id: string; name: string } }) => (
  <Link to={`/runs/${run.id}`} className="font-medium text-accent hover:underline">{harmless(run.name)}</Link>
);

const percent = (share: number) => Number((share * 100).toFixed(2));
const sentenceCase = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
