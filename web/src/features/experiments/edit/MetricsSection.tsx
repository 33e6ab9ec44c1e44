import { Button, IconButton } from "@/components/Button";
import { NumberField, SelectField, TextField } from "@/components/Field";
import { Section } from "@/components/Section";
import { errorAt } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { isRelative, metricName } from "../experiment-words";
import { metricsOf, MOST_GUARDRAILS, newGuardrail, type ExperimentForm, type GuardrailForm } from "./experiment-form";

interface Props {
  form: ExperimentForm;
  errors: Readonly<Record<string, string>>;
  onChange: (part: Partial<ExperimentForm>) => void;
}

/** The metric that decides, and those that must not get worse. */
export function MetricsSection({ form, errors, onChange }: Props) {
  const metrics = metricsOf(form);
  const { guardrails } = form;
  const free = metrics.find((one) => one !== form.metric && guardrails.every((guardrail) => guardrail.metric !== one)) ?? "";
  return (
    <Section title="Metrics">
      <div className="flex flex-col gap-4 px-4 py-3">
        <MetricField label="Primary metric" hint="The one figure that decides." isOutside={form.isOutside} metrics={metrics} value={form.metric} error={errorAt(errors, "primary_metric")} onChange={(metric) => onChange({ metric })} />
        <fieldset className="min-w-0">
          <legend className="font-medium">Guardrails</legend>
          <p className="mt-0.5 mb-2 text-xs text-ink-2">Metrics that must not get worse than the control’s by their margin. A treatment that loses one is stopped, however good it is.</p>
          {guardrails.length > 0 && (
            <ol aria-label="Guardrails" className="mb-3 divide-y divide-line rounded-md border border-line">
              {guardrails.map((one, index) => (
                <Guardrail
                  key={one.key}
                  guardrail={one}
                  metrics={metrics}
                  isOutside={form.isOutside}
                  errors={errors}
                  path={`guardrail_metrics.${index}`}
                  onChange={(next) => onChange({ guardrails: guardrails.with(index, next) })}
                  onRemove={() => onChange({ guardrails: guardrails.toSpliced(index, 1) })}
                />
              ))}
            </ol>
          )}
          <Button icon="plus" disabled={guardrails.length >= MOST_GUARDRAILS} onClick={() => onChange({ guardrails: [...guardrails, newGuardrail(free)] })}>Add a guardrail</Button>
        </fieldset>
      </div>
    </Section>
  );
}

interface GuardrailProps {
  guardrail: GuardrailForm;
  metrics: readonly string[];
  isOutside: boolean;
  errors: Readonly<Record<string, string>>;
  path: string;
  onChange: (guardrail: GuardrailForm) => void;
  onRemove: () => void;
}

function Guardrail({ guardrail, metrics, isOutside, errors, path, onChange, onRemove }: GuardrailProps) {
  const relative = isRelative(guardrail.metric);
  const name = harmless(metricName(guardrail.metric)) || "this guardrail";
  return (
    <li aria-label={name} className="flex items-start gap-3 px-3 py-2">
      <div className="grid min-w-0 flex-1 items-start gap-3 sm:grid-cols-2">
        <MetricField label="Metric" isOutside={isOutside} metrics={metrics} value={guardrail.metric} error={errorAt(errors, path, `${path}.metric`)} onChange={(metric) => onChange({ ...guardrail, metric })} />
        <NumberField
          label={relative ? "Margin in percent of the control" : "Margin in points"}
          hint={relative ? "At most this much slower or more expensive." : "At most this much lower, of 100."}
          min={0}
          placeholder={relative ? "10" : "5"}
          value={guardrail.margin}
          error={errorAt(errors, `${path}.margin`)}
          onChange={(margin) => onChange({ ...guardrail, margin })}
        />
      </div>
      <IconButton icon="cross" label={`Remove ${name}`} className="mt-5" onClick={onRemove} />
    </li>
  );
}

interface MetricProps {
  label: string;
  hint?: string;
  metrics: readonly string[];
  isOutside: boolean;
  value: string;
  error: string | undefined;
  onChange: (metric: string) => void;
}

/** Observations from outside may have any metric; otherwise an evaluator has to give it. */
function MetricField({ metrics, isOutside, value, onChange, ...frame }: MetricProps) {
  if (isOutside) return <TextField {...frame} className="sm:max-w-80" maxLength={60} placeholder="conversion" value={value} onChange={onChange} />;
  const options = [...(metrics.includes(value) ? [] : [{ value, label: value === "" ? "Choose…" : harmless(value) }]), ...metrics.map((one) => ({ value: one, label: harmless(metricName(one)) }))];
  return <SelectField {...frame} className="sm:max-w-80" options={options} value={value} onChange={onChange} />;
}

