import { MultiSelect } from "@/components/Combobox";
import { CheckField, FieldError, TextAreaField, TextField } from "@/components/Field";
import type { CaseLimit } from "./case-limit";

interface Props {
  legend: string;
  value: CaseLimit;
  /** The error of the filter. */
  error: string | undefined;
  onChange: (value: CaseLimit) => void;
}

/** Limit an evaluator to some cases. A case matches if it has all given parts. */
export function CaseLimitFields({ legend, value, error, onChange }: Props) {
  const set = (part: Partial<CaseLimit>) => onChange({ ...value, ...part });
  return (
    <fieldset className="min-w-0 rounded-md border border-line px-3 pt-1 pb-3">
      <legend className="px-1 text-xs font-medium text-ink-2">{legend}</legend>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField label="Category" maxLength={255} value={value.category} onChange={(category) => set({ category })} />
        <MultiSelect label="Tags" free placeholder="Type one, then Enter" choices={[]} selected={value.tags} onChange={(tags) => set({ tags })} />
        <CheckField className="sm:pt-6" label="Cases with checks" checked={value.withChecks} onChange={(withChecks) => set({ withChecks })} />
        <TextAreaField label="Another part of a case" hint='As JSON: {"subcategory": "percent"}' mono rows={2} spellCheck={false} value={value.rest} onChange={(rest) => set({ rest })} />
      </div>
      {error && <div className="mt-2"><FieldError>{error}</FieldError></div>}
    </fieldset>
  );
}
