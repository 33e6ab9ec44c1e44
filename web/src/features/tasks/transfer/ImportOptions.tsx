import type { CollectionOut, ImportResult } from "@/api/generated/config-api";
import { Combobox } from "@/components/Combobox";
import { CheckField, SelectField } from "@/components/Field";
import { Section } from "@/components/Section";
import { errorAt } from "@/lib/form-errors";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { CONFLICT_WORDS, FORMAT_NAMES, type FileFormat, type ImportPlan, type OnConflict } from "./import-plan";

interface Props {
  plan: ImportPlan;
  result: ImportResult | undefined;
  collections: readonly CollectionOut[];
  errors: Readonly<Record<string, string>>;
  onChange: (plan: ImportPlan) => void;
}

const FORMATS = Object.entries(FORMAT_NAMES) as [FileFormat, string][];
const CONFLICTS = Object.entries(CONFLICT_WORDS) as [OnConflict, { label: string; hint: string }][];

export function ImportOptions({ plan, result, collections, errors, onChange }: Props) {
  const set = (part: Partial<ImportPlan>) => onChange({ ...plan, ...part });
  const detected = FORMATS.find(([format]) => format === result?.format)?.[1];
  const isNew = plan.collection.trim() !== "" && !collections.some((one) => one.id === plan.collection || one.name === plan.collection.trim());
  return (
    <Section title="How to import it">
      <div className="flex flex-col gap-4 px-4 py-3">
        <SelectField<FileFormat | "auto">
          label="Format"
          value={plan.format ?? "auto"}
          error={errorAt(errors, "format")}
          hint={plan.format === null && detected ? `Recognised by the file’s name: ${detected}.` : undefined}
          options={[{ value: "auto", label: "From the file’s name" }, ...FORMATS.map(([value, label]) => ({ value, label }))]}
          onChange={(format) => set({ format: format === "auto" ? null : format })}
        />
        <SelectField
          label="A task that exists already"
          value={plan.onConflict}
          hint={CONFLICT_WORDS[plan.onConflict].hint}
          options={CONFLICTS.map(([value, { label }]) => ({ value, label }))}
          onChange={(onConflict) => set({ onConflict })}
        />
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
        <CheckField label="Skip bad rows" hint="Otherwise one bad row stops the import." checked={plan.skipBadRows} onChange={(skipBadRows) => set({ skipBadRows })} />
      </div>
    </Section>
  );
}
