import { CheckField, NumberField, SelectField } from "@/components/Field";
import { errorAt } from "@/lib/form-errors";
import type { LimitsForm } from "./run-form";
import { USUAL_LIMITS } from "./usual-limits";

type Errors = Readonly<Record<string, string>>;

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
