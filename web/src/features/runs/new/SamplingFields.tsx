import { CheckField, NumberField, SelectField, TextAreaField } from "@/components/Field";
import { KeyValueEditor } from "@/components/KeyValueEditor";
import { MultiSelect } from "@/components/Combobox";
import { errorAt } from "@/lib/form-errors";
import { USUAL_LIMITS, type LimitsForm, type SamplingForm } from "./run-form";

type Errors = Readonly<Record<string, string>>;

interface SamplingProps {
  value: SamplingForm;
  onChange: (value: SamplingForm) => void;
  errors: Errors;
  /** The parameters' path in the request: `params`, `targets.0.params`, `judge.params`. */
  path: string;
  /** The values that apply to empty fields: the provider's or the run's. */
  inherited?: SamplingForm;
}

/** The sampling parameters of a model. Empty ones are not sent: the provider's default applies. */
export function SamplingFields({ value, onChange, errors, path, inherited }: SamplingProps) {
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
      <TextAreaField label="System prompt" rows={2} placeholder={inherited?.systemPrompt || undefined} value={value.systemPrompt} error={errorAt(errors, `${path}.system_prompt`)} onChange={(next) => set("systemPrompt", next)} />
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

interface LimitsProps {
  value: LimitsForm;
  onChange: (value: LimitsForm) => void;
  errors: Errors;
  /** `targets.0.`, or nothing for the run itself. */
  prefix: string;
  /** The run's limits, shown as placeholders of a target's. */
  inherited?: LimitsForm;
}

const CACHE = [
  { value: "inherit", label: "As the run" },
  { value: "yes", label: "Use cached answers" },
  { value: "no", label: "Ask the model again" },
] as const;

export function LimitsFields({ value, onChange, errors, prefix, inherited }: LimitsProps) {
  const set = <K extends keyof LimitsForm>(key: K, next: LimitsForm[K]) => onChange({ ...value, [key]: next });
  const usual = (key: "epochs" | "concurrency" | "timeoutS" | "maxAttempts") => String(inherited?.[key] ?? USUAL_LIMITS[key]);
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <NumberField label="Epochs" hint="Answers per task" min={1} max={100} step={1} placeholder={usual("epochs")} value={value.epochs} error={errorAt(errors, `${prefix}epochs`)} onChange={(next) => set("epochs", next)} />
        <NumberField label="Concurrency" hint="Calls at a time" min={1} max={256} step={1} placeholder={usual("concurrency")} value={value.concurrency} error={errorAt(errors, `${prefix}concurrency`)} onChange={(next) => set("concurrency", next)} />
        <NumberField label="Timeout" hint="Seconds per call" min={1} max={86_400} placeholder={usual("timeoutS")} value={value.timeoutS} error={errorAt(errors, `${prefix}timeout_s`)} onChange={(next) => set("timeoutS", next)} />
        <NumberField label="Attempts" hint="Before it fails" min={1} max={10} step={1} placeholder={usual("maxAttempts")} value={value.maxAttempts} error={errorAt(errors, `${prefix}max_attempts`)} onChange={(next) => set("maxAttempts", next)} />
      </div>
      {inherited ? (
        <SelectField
          label="Cached answers"
          className="sm:max-w-56"
          options={CACHE}
          value={value.useCache === null ? "inherit" : value.useCache ? "yes" : "no"}
          onChange={(next) => set("useCache", next === "inherit" ? null : next === "yes")}
        />
      ) : (
        <CheckField
          label="Use cached answers"
          hint="An earlier answer to the same request and epoch is used again. It is marked as cached, and its time does not count."
          checked={value.useCache === true}
          onChange={(next) => set("useCache", next)}
        />
      )}
    </div>
  );
}
