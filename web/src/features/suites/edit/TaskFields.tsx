import type { SuiteIn, SuiteTaskIn, TaskParamsIn, TaskSampleIn } from "@/api/generated/config-api";
import { Combobox, MultiSelect } from "@/components/Combobox";
import { Disclosure } from "@/components/Disclosure";
import { NumberField, SelectField, TextAreaField, TextField } from "@/components/Field";
import { errorAt, errorsUnder } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { paramsText, sampleText } from "../suite-words";
import { SourceFields } from "./SourceFields";
import type { GateForm, TaskForm } from "./suite-form";
import { TaskEvaluators } from "./TaskEvaluators";

interface Props {
  form: TaskForm;
  others: readonly TaskForm[];
  aggregation: SuiteIn["aggregation"];
  errors: Readonly<Record<string, string>>;
  /** The task's path in the request, such as `tasks.0`. */
  path: string;
  onChange: (form: TaskForm) => void;
}

/** The fields of one task. */
export function TaskFields({ form, others, aggregation, errors, path, onChange }: Props) {
  const { task } = form;
  const set = (part: Partial<SuiteTaskIn>) => onChange({ ...form, task: { ...task, ...part } });
  const at = (field: string) => errorAt(errors, `${path}.${field}`);
  const categories = [...new Set(others.map((one) => one.task.category ?? "general"))].toSorted();
  const params = task.params ?? {};
  const setParams = (part: Partial<TaskParamsIn>) => set({ params: { ...params, ...part } });
  return (
    <div className="flex flex-col gap-5 px-4 py-4">
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <TextField label="Name" required maxLength={30} spellCheck={false} hint="Begins the names of its items." value={task.name} error={at("name") ?? errorAt(errors, path)} onChange={(name) => set({ name })} />
        <Combobox label="Category" free placeholder="general" choices={categories.map((one) => ({ value: one, label: harmless(one) }))} value={task.category ?? ""} error={at("category")} onChange={(category) => set({ category: category === "" ? undefined : category })} />
        <MultiSelect label="After" hint="Its cases are asked after those of these tasks." placeholder="No other task" choices={others.map((one) => ({ value: one.key, label: harmless(one.task.name) || "No name" }))} selected={form.before} error={errorsUnder(errors, `${path}.after`)[0]} onChange={(before) => onChange({ ...form, before })} />
      </div>
      <GateFields form={form} others={others} errors={errors} path={`${path}.gate`} onChange={(gates) => onChange({ ...form, gates })} />
      <SourceFields source={task.source} errors={errors} path={`${path}.source`} onChange={(source) => set({ source })} />
      <TaskEvaluators evaluators={task.evaluators ?? []} errors={errors} path={`${path}.evaluators`} onChange={(evaluators) => set({ evaluators })} />
      <div className="divide-y divide-line border-y border-line [&>details]:py-2">
        <Disclosure title="Counting" summary={countingText(task)} open={["epochs", "weight", "estimated_seconds"].some((field) => at(field) !== undefined)}>
          <div className="grid items-start gap-3 pb-2 sm:grid-cols-3">
            <NumberField label="Epochs" hint="How often each case is asked." min={1} max={100} step={1} placeholder="1" value={task.epochs ?? null} error={at("epochs")} onChange={(epochs) => set({ epochs: epochs ?? undefined })} />
            <NumberField label="Weight" hint={aggregation === "weighted" ? "In the score of the suite." : "Used by the weighted mean only."} min={0} placeholder="1" value={task.weight ?? null} error={at("weight")} onChange={(weight) => set({ weight: weight ?? undefined })} />
            <NumberField label="Expected seconds" hint="For the plan, until a run has measured the model." min={0} placeholder="Unknown" value={task.estimated_seconds ?? null} error={at("estimated_seconds")} onChange={(estimated_seconds) => set({ estimated_seconds })} />
          </div>
        </Disclosure>
        <Disclosure title="Sample" summary={sampleText(task)} open={errorsUnder(errors, `${path}.sample`).length > 0}>
          <SampleFields sample={task.sample ?? null} errors={errors} path={`${path}.sample`} onChange={(sample) => set({ sample })} />
        </Disclosure>
        <Disclosure title="Parameters" summary={harmless(paramsText(task)) || "those of the model"} open={errorsUnder(errors, `${path}.params`).length > 0}>
          <div className="flex flex-col gap-3 pb-2">
            <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-4">
              <NumberField label="Temperature" min={0} max={2} placeholder="Default" value={params.temperature ?? null} error={at("params.temperature")} onChange={(temperature) => setParams({ temperature })} />
              <NumberField label="Top p" min={0} max={1} placeholder="Default" value={params.top_p ?? null} error={at("params.top_p")} onChange={(top_p) => setParams({ top_p })} />
              <NumberField label="Max tokens" min={1} step={1} placeholder="Default" value={params.max_tokens ?? null} error={at("params.max_tokens")} onChange={(max_tokens) => setParams({ max_tokens })} />
              <NumberField label="Seed" min={0} step={1} placeholder="Default" value={params.seed ?? null} error={at("params.seed")} onChange={(seed) => setParams({ seed })} />
            </div>
            <TextAreaField label="System prompt" rows={3} dir="auto" value={params.system_prompt ?? ""} error={at("params.system_prompt")} onChange={(system_prompt) => setParams({ system_prompt })} />
            <MultiSelect label="Stop sequences" free placeholder="Type one, then Enter" choices={[]} selected={params.stop ?? []} error={errorsUnder(errors, `${path}.params.stop`)[0]} onChange={(stop) => setParams({ stop })} />
            {params.response_schema && <p className="text-ink-2">Answers are asked for as JSON by the schema of the suite’s file, which stays as it is.</p>}
          </div>
        </Disclosure>
      </div>
    </div>
  );
}

interface GateProps {
  form: TaskForm;
  others: readonly TaskForm[];
  errors: Readonly<Record<string, string>>;
  path: string;
  onChange: (gates: readonly GateForm[]) => void;
}

/** The tasks whose scores decide whether this one is asked, each with the lowest score that passes. */
function GateFields({ form: { gates = [] }, others, errors, path, onChange }: GateProps) {
  const known = gates.filter(({ key }) => others.some((one) => one.key === key));
  return (
    <div className="grid items-start gap-3 sm:grid-cols-3">
      <MultiSelect
        label="Gates"
        hint="A model is asked this task only if it scores well in these. Programs have to score them."
        placeholder="Always asked"
        choices={others.map((one) => ({ value: one.key, label: harmless(one.task.name) || "No name" }))}
        selected={known.map(({ key }) => key)}
        error={errorsUnder(errors, path)[0]}
        onChange={(keys) => onChange(keys.map((key) => known.find((one) => one.key === key) ?? { key, least: 0.5 }))}
      />
      {known.map((gate) => (
        <NumberField
          key={gate.key}
          label={`Lowest score in ${harmless(others.find((one) => one.key === gate.key)?.task.name ?? "") || "No name"}`}
          min={0}
          max={1}
          value={gate.least}
          onChange={(least) => onChange(known.map((one) => (one.key === gate.key ? { ...one, least } : one)))}
        />
      ))}
    </div>
  );
}

function countingText({ epochs, weight, estimated_seconds: seconds }: SuiteTaskIn): string {
  const parts = [epochs === undefined ? "each case once" : `each case ${epochs} times`, weight === undefined ? "" : `weight ${weight}`, seconds == null ? "" : `${seconds} seconds`];
  return parts.filter(Boolean).join(", ");
}

const STRATEGIES = [
  { value: "random", label: "At random" },
  { value: "stratified", label: "The same share of each category" },
] as const;

interface SampleProps {
  sample: TaskSampleIn | null;
  errors: Readonly<Record<string, string>>;
  path: string;
  onChange: (sample: TaskSampleIn | null) => void;
}

/** The sample of a task. It exists once a size is given; until then every case is asked. */
function SampleFields({ sample, errors, path, onChange }: SampleProps) {
  return (
    <div className="flex flex-col gap-2 pb-2">
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <NumberField label="Cases" min={1} step={1} placeholder="All" value={sample?.size ?? null} error={errorAt(errors, `${path}.size`, path)} onChange={(size) => onChange(size === null ? null : { ...sample, size })} />
        <SelectField label="Chosen" disabled={sample === null} options={STRATEGIES} value={sample?.strategy ?? "random"} error={errorAt(errors, `${path}.strategy`)} onChange={(strategy) => sample && onChange({ ...sample, strategy })} />
        <NumberField label="Sample seed" disabled={sample === null} min={0} step={1} placeholder="From the names" value={sample?.seed ?? null} error={errorAt(errors, `${path}.seed`)} onChange={(seed) => sample && onChange({ ...sample, seed })} />
      </div>
      <p className="text-xs text-ink-2">Every run of the suite has the same sample. Conversations and documents are never split.</p>
    </div>
  );
}
