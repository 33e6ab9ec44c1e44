import { lazy, Suspense } from "react";
import { useListRunsQuery } from "@/api/runs";
import { Combobox, MultiSelect } from "@/components/Combobox";
import { Disclosure } from "@/components/Disclosure";
import { CheckField, FieldError, TextAreaField, TextField } from "@/components/Field";
import { errorAt } from "@/lib/form-errors";
import { formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { CLUSTER_HINT } from "../cluster-words";
import { loadCode } from "@/live/reach";
import type { RunForm, SubjectForm } from "./run-form";

const Limits = lazy(() => loadCode(async () => ({ default: (await import("./Limits")).Limits })));

export interface Props {
  form: RunForm;
  /** The most models that can be called at the same time. */
  sideBySide: number;
  errors: Readonly<Record<string, string>>;
  onChange: (part: Partial<RunForm>) => void;
}

/** The tags of the run, and the settings of every target without its own. */
export function TagsAndLimits({ form, sideBySide, errors, onChange: set }: Props) {
  return (
    <div className="card px-4">
      <div className="divide-y divide-line [&>*]:py-2">
        <Described form={form} errors={errors} onChange={set} />
        <Suspense>
          <Limits form={form} sideBySide={sideBySide} errors={errors} onChange={set}>
            <TextField label="Cluster by" hint={CLUSTER_HINT} className="sm:max-w-xl" maxLength={255} placeholder="Document, conversation or case" value={form.clusterBy} error={errorAt(errors, "cluster_by")} onChange={(clusterBy) => set({ clusterBy })} />
            <CheckField label="Write the choices of a case below its question" hint="One lettered line each, unless the question already contains them." checked={form.showChoices} onChange={(showChoices) => set({ showChoices })} />
            <CheckField label="Check first that the providers have these models" hint="An unreachable provider, a wrong key or a mistyped model is reported before the run starts." checked={form.checkProviders} onChange={(checkProviders) => set({ checkProviders })} />
          </Limits>
        </Suspense>
      </div>
    </div>
  );
}

function Described({ form, errors, onChange }: Omit<Props, "sideBySide">) {
  const { data } = useListRunsQuery({ limit: 100 });
  const runs = data?.items ?? [];
  const tags = [...new Set(runs.flatMap((one) => one.tags))].toSorted();
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <MultiSelect label="Tags" free placeholder="Type one, then Enter" choices={tags.map((one) => ({ value: one, label: harmless(one) }))} selected={form.tags} error={errorAt(errors, "tags")} onChange={(next) => onChange({ tags: next })} />
      <Disclosure className="sm:col-span-2" title="Notes and baseline" summary="description, the run to compare with" open={form.description !== "" || form.baselineRunId !== "" || form.subject !== null}>
        <div className="grid gap-3 sm:grid-cols-2">
          <TextAreaField label="Description" className="sm:col-span-2" rows={2} maxLength={10_000} value={form.description} error={errorAt(errors, "description")} onChange={(description) => onChange({ description })} />
          <Combobox
            label="Baseline"
            hint="The run that this one is compared with."
            placeholder="None"
            choices={runs.map((one) => ({ value: one.id, label: harmless(one.name), detail: formatDate(one.created_at) }))}
            value={form.baselineRunId}
            error={errorAt(errors, "baseline_run_id")}
            onChange={(baselineRunId) => onChange({ baselineRunId })}
          />
          {form.subject && <Compared subject={form.subject} error={errorAt(errors, "subject.id")} onChange={(subject) => onChange({ subject })} />}
        </div>
      </Disclosure>
    </div>
  );
}

function Compared({ subject, error, onChange }: { subject: SubjectForm; error: string | undefined; onChange: (subject: SubjectForm) => void }) {
  const baselines = subject.label === null ? "the baselines" : `the baseline ${harmless(subject.label)}`;
  return (
    <div className="flex flex-col gap-1 self-center">
      <CheckField label={`Compare it with ${baselines} of the preset ${harmless(subject.name)} when it ends`} checked={subject.compared} onChange={(compared) => onChange({ ...subject, compared })} />
      {error && <FieldError>{error}</FieldError>}
    </div>
  );
}
