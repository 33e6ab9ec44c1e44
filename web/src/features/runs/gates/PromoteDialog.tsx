import { useState } from "react";
import { Link } from "react-router";
import type { RunDetail, SubjectOut } from "@/api/generated/orchestrator";
import { useListPresetsQuery } from "@/api/presets";
import { useCreateBaselineMutation, useListBaselinesQuery, usePromoteToBaselineMutation } from "@/api/baselines";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { SelectField, TextAreaField, TextField } from "@/components/Field";
import { Skeleton } from "@/components/Message";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";

interface Props {
  run: RunDetail;
  onClose: () => void;
}

const MOST_PRESETS = 500;

/** Make the run the baseline of its suite or of a preset, or the anchor. */
export function PromoteDialog({ run, onClose }: Props) {
  const ofSuite = run.subject?.kind === "suite";
  const presets = useListPresetsQuery({ limit: MOST_PRESETS }, { skip: ofSuite });
  return (
    <FormDialog open onClose={onClose} title="Promote to baseline">
      {ofSuite ? (
        <PromoteForm run={run} onClose={onClose} presets={[]} suite={run.subject} />
      ) : presets.data ? (
        <PromoteForm run={run} onClose={onClose} presets={presets.data.items} />
      ) : presets.isError ? (
        <ProblemNote error={presets.error} />
      ) : (
        <Skeleton className="mt-3 h-40" />
      )}
    </FormDialog>
  );
}

interface FormProps extends Props {
  presets: readonly { id: string; name: string }[];
  /** The suite of a suite run, to which its baselines belong. */
  suite?: SubjectOut | null;
}

function PromoteForm({ run, onClose, presets, suite }: FormProps) {
  const [presetId, setPresetId] = useState(run.subject?.id ?? presets[0]?.id ?? "");
  const subject = { kind: suite ? ("suite" as const) : ("preset" as const), id: suite?.id ?? presetId };
  const [label, setLabel] = useState(run.baseline_label ?? "main");
  const [role, setRole] = useState<"baseline" | "anchor" | "both">("baseline");
  const [note, setNote] = useState("");
  const known = useListBaselinesQuery({ subjectKind: subject.kind, subjectId: subject.id }, { skip: subject.id === "" });
  const [create, creating] = useCreateBaselineMutation();
  const [promote, promoting] = usePromoteToBaselineMutation();
  const existing = known.currentData?.items.find((one) => one.label === label.trim());
  const error = creating.error ?? promoting.error;
  const { fields } = toProblem(error);
  const save = async () => {
    const reason = note.trim() || null;
    const answer = existing
      ? await promote({ id: existing.id, promoteRun: { run_id: run.id, role, note: reason } })
      : await create({ createBaseline: { subject, label: label.trim(), run_id: run.id, note: reason } });
    if (answer.error) return;
    toast(`Promoted to ${harmless(label.trim())}.`);
    onClose();
  };
  if (!suite && presets.length === 0) {
    return (
      <div className="mt-3 flex flex-col gap-3">
        <p className="text-ink-2">A baseline belongs to a preset, and there is none yet. <Link to="/presets" className="text-accent hover:underline">Make one</Link> first.</p>
        <div className="flex justify-end"><Button onClick={onClose}>Close</Button></div>
      </div>
    );
  }
  return (
    <form
      className="mt-3 flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {suite ? (
        <p className="text-ink-2 wrap-anywhere">Later runs of the suite <span className="font-medium text-ink">{harmless(suite.name)}</span>, of any version, are compared with this run, by the gates of the baseline.</p>
      ) : (
        <SelectField label="Preset" hint="Its later runs are compared with this run, by the gates of the baseline." options={presets.map(({ id, name }) => ({ value: id, label: harmless(name) }))} value={presetId} onChange={setPresetId} />
      )}
      <TextField label="Label" hint="Such as main or v1.2." maxLength={60} value={label} error={label.trim() === "" ? "A baseline needs a label." : fields.label} onChange={setLabel} />
      {existing && (
        <SelectField
          label="Replace"
          hint={`Now: ${harmless(existing.run.name)}${existing.anchor.id === existing.run.id ? ", also the anchor" : `; anchor: ${harmless(existing.anchor.name)}`}. The anchor stays until you replace it, so that small losses cannot add up.`}
          options={[
            { value: "baseline", label: "The baseline" },
            { value: "anchor", label: "The anchor" },
            { value: "both", label: "Both" },
          ]}
          value={role}
          onChange={setRole}
        />
      )}
      <TextAreaField label="Note" hint="For the history." maxLength={2000} rows={2} value={note} error={fields.note} onChange={setNote} />
      {error !== undefined && <ProblemNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={creating.isLoading || promoting.isLoading || label.trim() === "" || known.isFetching}>
          Promote
        </Button>
      </div>
    </form>
  );
}
