import { useId } from "react";
import { Disclosure } from "@/components/Disclosure";
import { NumberField, TextAreaField, TextField } from "@/components/Field";
import { Section } from "@/components/Section";
import { Segments } from "@/components/Segments";
import { errorAt, errorsUnder } from "@/lib/form-errors";
import { METHODS } from "../experiment-words";
import { designOf, type ExperimentForm } from "./experiment-form";

interface Props {
  form: ExperimentForm;
  errors: Readonly<Record<string, string>>;
  onChange: (part: Partial<ExperimentForm>) => void;
}

const DESIGNS = [
  { value: "paired", label: "Same cases for all" },
  { value: "split", label: "Cases split up" },
] as const;

const DESIGN_HINTS = {
  paired: "Every variant answers the same cases, so differences between cases cancel out. It needs the fewest calls.",
  split: "Each case goes to one variant only, by its share.",
} as const;

/** The method and the limits of the decision. */
export function MethodSection({ form, errors, onChange }: Props) {
  const id = useId();
  const design = designOf(form);
  const isFixed = form.isOutside || form.type === "MULTI_ARM_BANDIT";
  const unit = form.isOutside ? "units" : "cases";
  const limits = ["config.minimum_sample_size", "config.maximum_sample_size", "config.maximum_duration_days", "config.maximum_cost_usd", "config.round_size", "config.cluster_by", "config.seed"];
  return (
    <Section title="Method">
      <div className="flex flex-col gap-4 px-4 py-3">
        <fieldset className="flex min-w-0 flex-col gap-2.5">
          <legend className="mb-2 font-medium">How it is decided</legend>
          {METHODS.map((one) => (
            <div key={one.value} className="flex items-start gap-2">
              <input type="radio" id={`${id}-${one.value}`} name={`${id}-method`} checked={form.method === one.value} aria-describedby={`${id}-${one.value}-hint`} onChange={() => onChange({ method: one.value })} className="mt-0.5 size-4 shrink-0 accent-accent" />
              <div className="min-w-0">
                <label htmlFor={`${id}-${one.value}`} className="block">{one.label}</label>
                <p id={`${id}-${one.value}-hint`} className="max-w-2xl text-xs text-ink-2">{one.hint}</p>
              </div>
            </div>
          ))}
        </fieldset>
        <div className="flex flex-col items-start gap-1.5">
          <p className="font-medium">Who answers what</p>
          {!isFixed && <Segments label="Design" options={DESIGNS} value={form.design} onChange={(next) => onChange({ design: next })} />}
          <p className="max-w-2xl text-xs text-ink-2">{form.isOutside ? "Each unit gets one variant, and always the same one." : DESIGN_HINTS[design]}</p>
        </div>
        <Disclosure title="Limits" summary="sample, duration, cost" open={limits.some((path) => errorsUnder(errors, path).length > 0)}>
          <div className="flex flex-col gap-3">
            <div className="grid items-start gap-3 sm:grid-cols-2">
              <NumberField label={`At least, ${unit} of each variant`} hint="Nothing is decided before." min={2} step={1} placeholder="No minimum" value={form.minimumSample} error={errorAt(errors, "config.minimum_sample_size")} onChange={(minimumSample) => onChange({ minimumSample })} />
              <NumberField label={`At most, ${unit} of each variant`} hint="The planned sample." min={2} step={1} placeholder="What the smallest effect needs" value={form.maximumSample} error={errorAt(errors, "config.maximum_sample_size")} onChange={(maximumSample) => onChange({ maximumSample })} />
              <NumberField label="Days" min={0} placeholder="No limit" value={form.maximumDays} error={errorAt(errors, "config.maximum_duration_days")} onChange={(maximumDays) => onChange({ maximumDays })} />
              <NumberField label="Cost in US dollars" min={0} placeholder="No limit" value={form.maximumCostUsd} error={errorAt(errors, "config.maximum_cost_usd")} onChange={(maximumCostUsd) => onChange({ maximumCostUsd })} />
            </div>
          </div>
        </Disclosure>
        <Disclosure title="Details" summary="false alarms, certainty, rounds, clusters, seed, notes">
          <div className="flex flex-col gap-3">
            <div className="grid items-start gap-3 sm:grid-cols-2">
              <NumberField label="False alarms in percent" hint="How often a difference may be claimed although there is none." min={0.1} max={50} value={Math.round(form.significance * 1e4) / 100} error={errorAt(errors, "config.significance_level")} onChange={(next) => onChange({ significance: (next ?? 5) / 100 })} />
              <NumberField label="Chance of finding the effect in percent" hint="If the effect exists; called power." min={50} max={99} value={Math.round(form.power * 1e4) / 100} error={errorAt(errors, "config.power")} onChange={(next) => onChange({ power: (next ?? 80) / 100 })} />
              {!form.isOutside && <NumberField label="Cases of a round" hint="More rounds stop earlier, but load the models more often." min={1} step={1} placeholder="A twentieth of the sample" value={form.roundSize} error={errorAt(errors, "config.round_size")} onChange={(roundSize) => onChange({ roundSize })} />}
              <NumberField label="Seed" hint="Fixes the random order." min={0} step={1} placeholder="A random one" value={form.seed} error={errorAt(errors, "config.seed")} onChange={(seed) => onChange({ seed })} />
              {!form.isOutside && <TextField label="Cluster by" hint="Cases with the same value of this metadata key depend on each other." maxLength={255} placeholder="Document, conversation or case" value={form.clusterBy} error={errorAt(errors, "config.cluster_by")} onChange={(clusterBy) => onChange({ clusterBy })} />}
            </div>
            <TextAreaField label="Notes" rows={2} maxLength={10_000} value={form.notes} error={errorAt(errors, "notes")} onChange={(notes) => onChange({ notes })} />
          </div>
        </Disclosure>
      </div>
    </Section>
  );
}
