import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { useCreateAnnotationTaskMutation } from "@/api/annotation";
import { Button } from "@/components/Button";
import { Disclosure } from "@/components/Disclosure";
import { CheckField, NumberField, SelectField, TextAreaField, TextField } from "@/components/Field";
import { PageHead } from "@/components/PageHead";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { UnsavedGuard } from "@/components/UnsavedGuard";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { Markdown } from "../Markdown";
import { Preview } from "./Preview";
import { FieldEditor } from "./FieldEditor";
import { RunFields } from "./RunFields";
import { SourceFields } from "./SourceFields";
import { fieldOf, hasGold, lackingIn, MOST_FIELDS, newField, newTask, requestOf, type FieldForm, type TaskForm } from "./task-form";

const WHAT = [
  { value: "cases", label: "Cases of a dataset" },
  { value: "answers", label: "Answers of a run" },
] as const;

/** `/annotation/new`: what people are asked, about which items, and how many of them. */
export default function NewTaskPage() {
  useTitle("New annotation task");
  const navigate = useNavigate();
  // A run's page leads here with the run.
  const [search] = useSearchParams();
  const [form, setForm] = useState<TaskForm>(() => ({ ...newTask(), ...(search.get("run") && { what: "answers", runId: search.get("run")! }) }));
  const [isTried, setTried] = useState(false);
  const [sent, setSent] = useState<ReturnType<typeof requestOf>>();
  const [create, creating] = useCreateAnnotationTaskMutation();
  const set = (part: Partial<TaskForm>) => setForm((now) => ({ ...now, ...part }));
  const body = requestOf(form);
  const lacking = lackingIn(form);
  const refused = creating.error ? stillTrue(toProblem(creating.error).fields, sent, body) : {};
  const errors = { ...refused, ...(isTried ? lacking : {}) };
  const created = creating.data?.task_id;
  useEffect(() => {
    if (created) void navigate(`/annotation/${created}`, { replace: true });
  }, [created, navigate]);

  const submit = async () => {
    setTried(true);
    if (Object.keys(lacking).length > 0 || creating.isLoading) return;
    setSent(body);
    await create({ annotationTaskIn: body });
  };
  const setField = (next: FieldForm) => set({ fields: form.fields.map((one) => (one.key === next.key ? next : one)) });
  const moveUp = (place: number) => set({ fields: form.fields.toSpliced(place, 1).toSpliced(place - 1, 0, form.fields[place]!) });
  return (
    <form
      noValidate
      className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <UnsavedGuard unsaved={created === undefined && (form.name !== "" || form.instructions !== "")} />
      <PageHead
        title="New annotation task"
        parent={{ to: "/annotation", label: "All annotation tasks" }}
        actions={<Button type="submit" kind="primary" icon="plus" disabled={creating.isLoading}>{creating.isLoading ? "Drawing the items…" : "Create the draft"}</Button>}
      />
      {creating.error !== undefined && <ProblemNote error={creating.error} />}
      <Section title="Task">
        <div className="grid items-start gap-3 px-4 py-4 sm:grid-cols-2">
          <TextField label="Name" required maxLength={255} value={form.name} error={errorAt(errors, "name")} onChange={(name) => set({ name })} />
          <TextField label="Description" value={form.description} error={errorAt(errors, "description")} onChange={(description) => set({ description })} />
          <SelectField label="What is labelled" options={WHAT} value={form.what} onChange={(what) => set({ what })} className="sm:col-span-2" />
          {form.what === "cases" ? (
            <SourceFields versionId={form.versionId} error={errorAt(errors, "dataset_version_id")} onChange={(versionId) => set({ versionId })} />
          ) : (
            <RunFields form={form} errors={errors} onChange={set} />
          )}
          <NumberField label="People per item" hint="Agreement needs at least two." min={1} max={100} step={1} value={form.required} error={errorAt(errors, "required_annotations_per_item")} onChange={(required) => set({ required })} />
          <NumberField label="Number of items" hint="If empty: all of them." min={1} step={1} value={form.sampleSize} error={errorAt(errors, "sampling_config.sample_size", "sampling_config")} onChange={(sampleSize) => set({ sampleSize })} />
        </div>
      </Section>
      <Section title="Instructions" aside={<p className="text-xs text-ink-2">Markdown: # heading, - list, **bold**, `code`, [link](https://…)</p>}>
        <div className="grid items-start gap-4 px-4 py-4 lg:grid-cols-2">
          <TextAreaField label="What people read first" required rows={10} dir="auto" maxLength={100_000} value={form.instructions} error={errorAt(errors, "instructions")} onChange={(instructions) => set({ instructions })} />
          <div>
            <p className="text-xs font-medium text-ink-2">Preview</p>
            <div className="mt-1 max-h-96 min-h-24 overflow-y-auto rounded-md border border-line px-3 py-2" tabIndex={0} role="region" aria-label="Preview of the instructions">
              {form.instructions.trim() === "" ? <p className="text-ink-3">What you write is shown here as people see it.</p> : <Markdown text={form.instructions} />}
            </div>
          </div>
        </div>
      </Section>
      <Section
        title="Questions"
        aside={<Button icon="plus" disabled={form.fields.length >= MOST_FIELDS} onClick={() => set({ fields: [...form.fields, newField(form.fields)] })}>Another question</Button>}
      >
        {form.fields.map((field, place) => (
          <FieldEditor
            key={field.key} field={field} number={place + 1} before={form.fields.slice(0, place)} errors={errors} isOnly={form.fields.length === 1}
            onChange={setField} onRemove={() => set({ fields: form.fields.filter((one) => one.key !== field.key) })} onUp={place > 0 ? () => moveUp(place) : undefined}
          />
        ))}
        <Preview fields={form.fields.map((one, place) => fieldOf(one, form.fields.slice(0, place)))} />
      </Section>
      <div className="card px-4 py-2">
        <Disclosure title="Sampling, time and gold items" open={Object.keys(errors).some((path) => path.startsWith("sampling_config.") || path.startsWith("gold"))}>
          <div className="grid items-start gap-3 pb-3 sm:grid-cols-3">
            {form.what === "cases" && <SelectField label="Sample" options={[{ value: "random", label: "At random" }, { value: "stratified", label: "Stratified by metadata" }]} value={form.strategy} onChange={(strategy) => set({ strategy })} />}
            {form.what === "cases" && form.strategy === "stratified" && <TextField label="Metadata field" required value={form.stratifyBy} error={errorAt(errors, "sampling_config.stratify_by")} onChange={(stratifyBy) => set({ stratifyBy })} />}
            <NumberField label="Seed" hint="If empty, a random one is chosen and stored." min={0} step={1} value={form.seed} error={errorAt(errors, "sampling_config.seed")} onChange={(seed) => set({ seed })} />
            <NumberField label="Audit slice in %" hint="Drawn at random. Corrected figures are computed from it alone." min={0} max={100} step={1} value={form.auditPercent} error={errorAt(errors, "sampling_config.audit_share")} onChange={(auditPercent) => set({ auditPercent })} />
            <NumberField label="Lease in minutes" hint="How long an item is reserved for one person." min={1} max={1440} value={form.leaseMinutes} error={errorAt(errors, "lease_s")} onChange={(leaseMinutes) => set({ leaseMinutes })} />
            <NumberField label="Time limit in seconds" hint="If empty: no time limit." min={5} step={1} value={form.limitSeconds} error={errorAt(errors, "time_limit_seconds")} onChange={(limitSeconds) => set({ limitSeconds })} />
            {hasGold(form) && <TextAreaField className="sm:col-span-3" mono label="Gold items" rows={3} hint={form.what === "cases" ? 'Cases with known labels, mixed in unseen, as JSON: [{"case": "case-1", "labels": {"verdict": "good"}}]' : 'Answers with known labels, mixed in unseen, as JSON: [{"case": "case-1", "target": "model-a", "labels": {"verdict": "good"}}]'} value={form.gold} error={Object.entries(errors).find(([path]) => path.startsWith("gold"))?.[1]} onChange={(gold) => set({ gold })} />}
            <div className="flex flex-col gap-2 sm:col-span-3">
              <CheckField label="Items may be skipped, with a reason" checked={form.allowSkip} onChange={(allowSkip) => set({ allowSkip })} />
              <CheckField label="Show the expected output" hint="It influences what people say." checked={form.showReference} onChange={(showReference) => set({ showReference })} />
            </div>
          </div>
        </Disclosure>
      </div>
    </form>
  );
}
