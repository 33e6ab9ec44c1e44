import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import type { BaselineOut, SavedGate } from "@/api/generated/orchestrator";
import { useDeleteGateMutation, useGetBaselineHistoryQuery, useListBaselinesQuery } from "@/api/baselines";
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

function Baseline({ subject, baseline }: { subject: Subject; baseline: BaselineOut }) {
  const [adding, setAdding] = useState(false);
  const [unwanted, setUnwanted] = useState<SavedGate | null>(null);
  const [remove, removing] = useDeleteGateMutation();
  const label = harmless(baseline.label);
  const confirm = async () => {
    if (unwanted && !(await remove({ id: unwanted.id })).error) setUnwanted(null);
  };
  return (
    <li aria-label={`Baseline ${label}`} className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 wrap-anywhere">
          <span className="font-medium">{label}</span>: <RunLink run={baseline.run} />
          <span className="text-ink-2">
            {baseline.anchor.id === baseline.run.id ? ", also the anchor" : <>; anchor: <RunLink run={baseline.anchor} /></>}; since {formatDate(baseline.updated_at)}
          </span>
        </p>
        <Button icon="plus" right="runs:create" onClick={() => setAdding(true)}>Add a gate</Button>
      </div>
      {baseline.gates.length === 0 ? (
        <p className="text-ink-2">No gate yet, so no run is compared with it.</p>
      ) : (
        <ul aria-label={`Gates of ${label}`} className="flex flex-col gap-1">
          {baseline.gates.map((gate) => (
            <li key={gate.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="min-w-0 font-medium wrap-anywhere">{sentenceCase(harmless(gate.title))}</span>
              <span className="text-xs text-ink-2">margin {percent(gate.margin)} {gate.relative ? "%" : "points"}{gate.undecided === "ok" && ", forgives undecided"}</span>
              <Chip label={`Fine in ${formatChance(gate.probability_fine)} of 100 if unchanged`} tone={gate.holds ? "good" : "warn"} icon={gate.holds ? "check" : "alert"} />
              <span className="text-xs text-ink-2">{formatCount(gate.clusters)} clusters</span>
              <IconButton icon="trash" label={`Delete the gate on ${harmless(gate.title)}`} right="runs:create" onClick={() => setUnwanted(gate)} />
            </li>
          ))}
        </ul>
      )}
      {baseline.probability_fine !== null && baseline.gates.length > 1 && (
        <p className="text-xs text-ink-2">An unchanged model is fine by all of them in at least {Math.floor(baseline.probability_fine * 100)} of 100 runs.</p>
      )}
      <Disclosure title="History"><History baseline={baseline} /></Disclosure>
      <Suspense>{adding && <GateDialog subject={subject} baseline={baseline} onClose={() => setAdding(false)} />}</Suspense>
      {unwanted && (
        <DeleteDialog title="Delete this gate?" name={sentenceCase(unwanted.title)} busy={removing.isLoading} error={removing.error} onClose={() => setUnwanted(null)} onConfirm={() => void confirm()}>
          will not compare later runs. Verdicts on earlier runs stay.
        </DeleteDialog>
      )}
    </li>
  );
}

function History({ baseline }: { baseline: BaselineOut }) {
  const query = useGetBaselineHistoryQuery({ id: baseline.id, limit: 100 });
  if (query.isError) return <ProblemNote error={query.error} />;
  if (!query.data) return <p className="text-ink-2">Loading…</p>;
  return (
    <ol aria-label={`History of ${harmless(baseline.label)}`} className="flex flex-col gap-1">
      {query.data.items.map((one) => (
        <li key={one.id} className="min-w-0 text-ink-2 wrap-anywhere">
          {formatDate(one.created_at)}:{" "}
          {one.run_id ? <RunLink run={{ id: one.run_id, name: one.run_name }} /> : <span className="text-ink">{harmless(one.run_name)} (removed)</span>} became{" "}
          {one.role === "both" ? "baseline and anchor" : `the ${one.role}`}{one.note && `: ${harmless(one.note)}`}
        </li>
      ))}
    </ol>
  );
}

const RunLink = ({ run }: { run: { id: string; name: string } }) => (
  <Link to={`/runs/${run.id}`} className="font-medium text-accent hover:underline">{harmless(run.name)}</Link>
);

const percent = (share: number) => Number((share * 100).toFixed(2));
const sentenceCase = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
