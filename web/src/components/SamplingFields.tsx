import { MultiSelect } from "./Combobox";
import { NumberField, TextAreaField } from "./Field";
import { KeyValueEditor } from "./KeyValueEditor";
import { errorAt } from "@/lib/form-errors";
import type { SamplingForm } from "@/lib/sampling-form";

type Errors = Readonly<Record<string, string>>;

interface SamplingProps {
  value: SamplingForm;
  onChange: (value: SamplingForm) => void;
  errors: Errors;
  /** The parameters' path in the request: `params`, `targets.0.params`, `judge.params`. */
  path: string;
  /** The values that apply to empty fields: the provider's or the run's. */
  inherited?: SamplingForm;
  /** The system prompt has a field elsewhere. */
  withoutPrompt?: boolean;
}

/** The sampling parameters of a model. Empty ones are not sent: the provider's default applies. */
export function SamplingFields({ value, onChange, errors, path, inherited, withoutPrompt = false }: SamplingProps) {
  const set = <K extends keyof SamplingForm>(key: K, next: SamplingForm[K]) => onChange({ ...value, [key]: next });
  const usual = (key: "temperature" | "topP" | "maxTokens" | "seed") => (inherited?.[key] == null ? "Default" : `${inherited[key]} (the run’s)`);
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <NumberField label="Temperature" min={0} max={2} placeholder={usual("temperature")} value={value.temperature} error={errorAt(errors, `${path}.temperature`)} onChange={(next) => set("temperature", next)} />
        <NumberField label="Top p" min={0} max={1} placeholder={usual("topP")} value={value.topP} error={errorAt(errors, `${path}.top_p`)} onChange={(next) => set("topP", next)} />
        <NumberField label="Max tokens" min={1} step={1} placeholder={usual("maxTokens")} value={value.maxTokens} error={errorAt(errors, `${path}.max_tokens`)} onChange={(next) => set("maxTokens", next)} />
        <NumberField label="Seed" step={1} placeholder={usual("seed")} value={value.seed} error={errorAt(errors, `${path}.seed`)} onChange={(next) => set("seed", next)} />
      </div>
      {!withoutPrompt && <TextAreaField label="System prompt" rows={2} placeholder={inherited?.systemPrompt || undefined} value={value.systemPrompt} error={errorAt(errors, `${path}.system_prompt`)} onChange={(next) => set("systemPrompt", next)} />}
      <MultiSelect label="Stop sequences" free placeholder="Type one, then Enter" choices={[]} selected={value.stop} error={errorAt(errors, `${path}.stop`)} onChange={(next) => set("stop", next)} />
      <KeyValueEditor
        legend="Options of the provider"
        hint="Sent unchanged. A JSON value (40, true, a list) is sent as JSON."
        keyLabel="Option"
        addLabel="Add an option"
        pairs={value.options}
        onChange={(next) => set("options", next)}
        errorOf={(index) => errorAt(errors, `${path}.options.${value.options[index]?.key}`, ...(index === 0 ? [`${path}.options`] : []))}
      />
    </div>
  );
}
