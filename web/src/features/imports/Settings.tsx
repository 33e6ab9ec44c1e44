import { VERSION_FORMATS } from "@/api/datasets";
import type { CollectionOut, DatasetOut } from "@/api/generated/config-api";
import { Combobox } from "@/components/Combobox";
import { CheckField, SelectField, TextAreaField, TextField } from "@/components/Field";
import { Section } from "@/components/Section";
import { Segments } from "@/components/Segments";
import { errorAt } from "@/lib/form-errors";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { isUuid } from "@/lib/uuid";
import { CONFLICT_WORDS, TASK_FORMATS, type Destination, type FileFormat, type ImportPlan, type OnConflict } from "./import-plan";

interface Props {
  plan: ImportPlan;
  /** The format that was recognised. */
  format: string | undefined;
  collections: readonly CollectionOut[];
  datasets: readonly DatasetOut[];
  errors: Readonly<Record<string, string>>;
  onChange: (plan: ImportPlan) => void;
}

const CONFLICTS = Object.entries(CONFLICT_WORDS) as [OnConflict, { label: string; hint: string }][];
const DESTINATIONS = [{ value: "tasks", label: "Tasks" }, { value: "dataset", label: "A dataset" }] as const;
const TASKS_IN = Object.entries(TASK_FORMATS).map(([value, label]) => ({ value: value as FileFormat, label }));
const CASES_IN = VERSION_FORMATS.map((one) => ({ value: one.format as FileFormat, label: one.name }));

/** The destination of the rows, and the options of the import. */
export function Settings(props: Props) {
  const { plan, format, errors, onChange } = props;
  const set = (part: Partial<ImportPlan>) => onChange({ ...plan, ...part });
  const formats = plan.to === "tasks" ? TASKS_IN : CASES_IN;
  const found = formats.find(({ value }) => value === format)?.label;
  return (
    <Section title="Where the rows go">
      <div className="flex flex-col gap-4 px-4 py-3">
        <div className="flex flex-col gap-1">
          <Segments<Destination>
            label="The rows become"
            value={plan.to}
            options={DESTINATIONS}
            // A format of one destination may be unknown to the other.
            onChange={(to) => set({ to, format: null })}
          />
          <p className="text-xs text-ink-3">{plan.to === "tasks" ? "Single questions that collections gather and that you can edit." : "A version of test cases that no longer changes once it is published."}</p>
        </div>
        {plan.to === "tasks" ? <OfTasks {...props} /> : <OfDataset {...props} />}
        <SelectField<FileFormat | "auto">
          label="Format"
          value={plan.format ?? "auto"}
          error={errorAt(errors, "format")}
          hint={plan.format === null && found ? `Recognised by the file’s name: ${found}.` : undefined}
          options={[{ value: "auto", label: "From the file’s name" }, ...formats]}
          onChange={(next) => set({ format: next === "auto" ? null : next })}
        />
      </div>
    </Section>
  );
}

function OfTasks({ plan, collections, errors, onChange }: Props) {
  const set = (part: Partial<ImportPlan>) => onChange({ ...plan, ...part });
  const isNew = plan.collection.trim() !== "" && !isUuid(plan.collection) && !collections.some((one) => one.id === plan.collection || one.name === plan.collection.trim());
  return (
    <>
      <Combobox
        label="Put the tasks into a collection"
        free
        placeholder="None"
        hint={isNew ? "This collection will be created." : "Choose one, or type the name of a new one."}
        error={errorAt(errors, "collection_name", "collection_id", "name")}
        choices={collections.map((one) => ({ value: one.id, label: harmless(one.name), detail: plural(one.task_count, "task") }))}
        value={plan.collection}
        onChange={(collection) => set({ collection })}
      />
      <TextField label="Category of rows without one" placeholder="The file’s name" maxLength={255} value={plan.category} error={errorAt(errors, "category")} onChange={(category) => set({ category })} />
      <SelectField label="A task that exists already" value={plan.onConflict} hint={CONFLICT_WORDS[plan.onConflict].hint} options={CONFLICTS.map(([value, { label }]) => ({ value, label }))} onChange={(onConflict) => set({ onConflict })} />
      <CheckField label="Skip bad rows" hint="Otherwise one bad row stops the import." checked={plan.skipBadRows} onChange={(skipBadRows) => set({ skipBadRows })} />
    </>
  );
}

function OfDataset({ plan, datasets, errors, onChange }: Props) {
  const set = (part: Partial<ImportPlan>) => onChange({ ...plan, ...part });
  const there = datasets.find((one) => one.dataset_id === plan.dataset || one.name === plan.dataset.trim());
  const isNew = plan.dataset.trim() !== "" && !isUuid(plan.dataset) && !there;
  return (
    <>
      <Combobox
        label="Dataset"
        required
        free
        placeholder="The name of a new one"
        hint={isNew ? "This dataset will be created." : there ? `It gets version ${(there.latest_version ?? 0) + 1}.` : "Choose one, or type the name of a new one."}
        error={errorAt(errors, "name")}
        choices={datasets.map((one) => ({ value: one.dataset_id, label: harmless(one.name), detail: plural(one.version_count, "version") }))}
        value={plan.dataset}
        onChange={(dataset) => set({ dataset })}
      />
      <TextAreaField label="Changes in this version" rows={2} maxLength={10_000} value={plan.description} error={errorAt(errors, "description")} onChange={(description) => set({ description })} />
      <CheckField label="Publish it at once" hint="Otherwise it is a draft that you publish from its page. Runs use published versions." checked={plan.publish} onChange={(publish) => set({ publish })} />
    </>
  );
}
