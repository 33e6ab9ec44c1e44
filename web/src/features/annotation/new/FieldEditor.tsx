import { IconButton } from "@/components/Button";
import { CheckField, FieldError, NumberField, SelectField, TextAreaField, TextField } from "@/components/Field";
import { errorAt, errorsUnder } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { FIELD_TYPES, TYPE_NAMES } from "../words";
import type { FieldForm } from "./task-form";

interface Props {
  field: FieldForm;
  number: number;
  before: readonly FieldForm[];
  errors: Readonly<Record<string, string>>;
  isOnly: boolean;
  onChange: (field: FieldForm) => void;
  onRemove: () => void;
  onUp: (() => void) | undefined;
}

const TYPES = FIELD_TYPES.map((value) => ({ value, label: TYPE_NAMES[value] }));

/** One question of the schema: its type, its options or scale, and the condition under which it is asked. */
export function FieldEditor({ field, number, before, errors, isOnly, onChange, onRemove, onUp }: Props) {
  const path = `annotation_schema.fields.${number - 1}`;
  const set = (part: Partial<FieldForm>) => onChange({ ...field, ...part });
  const on = before.filter((one) => one.type === "classification" || one.type === "rating" || one.type === "pairwise");
  // Errors about several properties have no place of their own in the form.
  const shown = ["name", "type", "title", "help", "only_if", "only_if.values", "options", "scale"].map((one) => `${path}.${one}`);
  const other = errorsUnder(Object.fromEntries(Object.entries(errors).filter(([one]) => !shown.includes(one))), path)[0];
  return (
    <fieldset aria-label={`Question ${number}`} className="min-w-0 border-b border-line px-4 py-4 last:border-b-0">
      <div className="mb-2 flex items-center justify-between">
        <p aria-hidden="true" className="text-sm font-semibold">Question {number}</p>
        <div className="flex">
          {onUp && <IconButton icon="up" label={`Move question ${number} up`} onClick={onUp} />}
          <IconButton icon="trash" label={`Remove question ${number}`} disabled={isOnly} onClick={onRemove} />
        </div>
      </div>
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <SelectField label="Type" options={TYPES} value={field.type} error={errorAt(errors, `${path}.type`)} onChange={(type) => set({ type })} />
        <TextField label="Name" required hint="In files and figures." maxLength={60} value={field.name} error={errorAt(errors, `${path}.name`)} onChange={(name) => set({ name })} />
        <TextField label="Question" hint="The question that people read. By default the name." value={field.title} error={errorAt(errors, `${path}.title`)} onChange={(title) => set({ title })} />
        {(field.type === "classification" || field.type === "ranking" || field.type === "spans") && (
          <TextAreaField className="sm:col-span-2" label="Options" rows={4} hint="One per line, such as “good: Good and complete”." value={field.options} error={errorAt(errors, `${path}.options`)} onChange={(options) => set({ options })} />
        )}
        {field.type === "rating" && (
          <>
            <NumberField label="Lowest" step={1} value={field.min} error={errorAt(errors, `${path}.scale`)} onChange={(min) => set({ min })} />
            <NumberField label="Highest" step={1} value={field.max} onChange={(max) => set({ max })} />
            <TextAreaField label="Words for levels" rows={3} hint="One per line, such as “5: Excellent”." value={field.levels} onChange={(levels) => set({ levels })} />
          </>
        )}
        <TextAreaField label="Help" rows={2} value={field.help} error={errorAt(errors, `${path}.help`)} onChange={(help) => set({ help })} />
        {on.length > 0 && (
          <>
            <SelectField
              label="Ask only if" value={field.dependsOn}
              options={[{ value: "", label: "Always asked" }, ...on.map((one) => ({ value: one.name, label: harmless(one.name) }))]}
              onChange={(dependsOn) => set({ dependsOn })}
            />
            {field.dependsOn !== "" && (
              <TextField label="is one of" hint="Values, separated by commas." value={field.dependsOnValues} error={errorAt(errors, `${path}.only_if`, `${path}.only_if.values`)} onChange={(dependsOnValues) => set({ dependsOnValues })} />
            )}
          </>
        )}
        <div className="flex flex-col gap-2 sm:col-span-3">
          <CheckField label="Required" checked={field.required} onChange={(required) => set({ required })} />
          {field.type === "classification" && <CheckField label="Several options may be chosen" checked={field.multiple} onChange={(multiple) => set({ multiple })} />}
        </div>
      </div>
      {other && <div className="mt-3"><FieldError>{harmless(other)}</FieldError></div>}
    </fieldset>
  );
}
