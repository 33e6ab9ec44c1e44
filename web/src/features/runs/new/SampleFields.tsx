import { MultiSelect } from "@/components/Combobox";
import { NumberField, SelectField } from "@/components/Field";
import { errorAt, errorsUnder } from "@/lib/form-errors";
import { formatCount } from "@/lib/format";
import type { SampleForm } from "./run-form";

interface Props {
  value: SampleForm;
  /** The number of all cases. */
  all: number;
  /** The run has a name of its own, not the suggested one. */
  isNamed: boolean;
  errors: Readonly<Record<string, string>>;
  onChange: (value: SampleForm) => void;
}

const STRATEGIES = [
  { value: "random", label: "At random" },
  { value: "stratified", label: "The same share of each category" },
] as const;

/** The sample of a run's cases. Without a size, every case is asked. */
export function SampleFields({ value, all, isNamed, errors, onChange }: Props) {
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <NumberField label="Cases" min={1} step={1} placeholder={all === 0 ? "All" : `All ${formatCount(all)}`} value={value.size} error={errorAt(errors, "sample.size", "sample")} onChange={(size) => onChange({ ...value, size })} />
        <SelectField label="Chosen" options={STRATEGIES} value={value.strategy} error={errorAt(errors, "sample.strategy")} onChange={(strategy) => onChange({ ...value, strategy })} />
        <NumberField label="Sample seed" min={0} step={1} placeholder={isNamed ? "From the run’s name" : "The usual one"} value={value.seed} error={errorAt(errors, "sample.seed")} onChange={(seed) => onChange({ ...value, seed })} />
      </div>
      <MultiSelect label="Tags of the cases" hint="Only cases of datasets with all of these tags." free placeholder="Type one, then Enter" choices={[]} selected={value.tags} error={errorsUnder(errors, "sample.tags")[0]} onChange={(tags) => onChange({ ...value, tags })} />
      <p className="text-xs text-ink-2">Runs of one name have the same sample, and so have all runs with a suggested name: they can be compared case by case. Conversations and documents are never split.</p>
    </div>
  );
}
