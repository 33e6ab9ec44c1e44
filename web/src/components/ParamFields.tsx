import { useState } from "react";
import { CheckField, FieldError, NumberField, SelectField, TextAreaField, TextField } from "@/components/Field";
import { KeyValueEditor, type Pair } from "@/components/KeyValueEditor";
import { errorsUnder } from "@/lib/form-errors";
import { withParam, type Param } from "@/lib/param-schema";

interface Props {
  params: readonly Param[];
  values: Readonly<Record<string, unknown>>;
  errors: Readonly<Record<string, string>>;
  /** The parameters' path in the request, such as `evaluators.0.params`. */
  path: string;
  onChange: (values: Record<string, unknown>) => void;
}

/** A field for each parameter; an empty one has its default. */
export function ParamFields({ params, values, errors, path, onChange }: Props) {
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      {params.map((param) => (
        <Field
          key={param.name}
          param={param}
          value={values[param.name]}
          error={errorsUnder(errors, `${path}.${param.name}`)[0]}
          onChange={(value) => onChange(withParam(values, param.name, value))}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  param: Param;
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

/** Longer texts get several lines. */
const ONE_LINE = 300;
const WIDE = "sm:col-span-2";

function Field({ param: { label, hint, required, field }, value, error, onChange }: FieldProps) {
  const frame = { label, hint, error, required };
  switch (field.kind) {
    case "flag":
      return (
        <div className="flex flex-col gap-1 self-center">
          <CheckField label={label} hint={hint} checked={typeof value === "boolean" ? value : field.value} onChange={onChange} />
          {error && <FieldError>{error}</FieldError>}
        </div>
      );
    case "maybe":
      return <SelectField {...frame} value={typeof value === "boolean" ? String(value) : ""} options={MAYBE} onChange={(next) => onChange(next === "" ? undefined : next === "true")} />;
    case "choice":
      return <ChoiceField {...frame} value={typeof value === "string" ? value : field.value} options={field.options} onChange={onChange} />;
    case "number":
      return (
        <NumberField
          {...frame}
          value={typeof value === "number" ? value : null}
          min={field.min}
          max={field.max}
          step={field.integer ? 1 : "any"}
          placeholder={field.value === null ? (required ? "" : "None") : String(field.value)}
          onChange={onChange}
        />
      );
    case "text": {
      const text = typeof value === "string" ? value : "";
      return field.maxLength !== undefined && field.maxLength <= ONE_LINE ? (
        <TextField {...frame} value={text} maxLength={field.maxLength} placeholder={field.value} onChange={onChange} />
      ) : (
        <TextAreaField {...frame} className={WIDE} rows={2} value={text} maxLength={field.maxLength} placeholder={field.value} onChange={onChange} />
      );
    }
    case "texts":
      return <LinesField {...frame} value={texts(value)} onChange={onChange} />;
    case "words":
      return (
        <fieldset className={`min-w-0 ${WIDE}`}>
          <legend className="mb-1 text-xs font-medium text-ink-2">{label}</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-1">
            {field.options.map((one) => (
              <CheckField key={one} label={one.replaceAll("_", " ")} checked={texts(value).includes(one)} onChange={(on) => onChange(field.options.filter((other) => (other === one ? on : texts(value).includes(other))))} />
            ))}
          </div>
          {error ? <FieldError>{error}</FieldError> : hint && <p className="mt-1 text-xs text-ink-3">{hint}</p>}
        </fieldset>
      );
    case "places":
      return <PlacesField {...frame} count={field.count} value={texts(value)} onChange={onChange} />;
    case "numbers":
      return <NumbersField {...frame} value={value} onChange={onChange} />;
    case "json":
      return <JsonField {...frame} value={value} onChange={onChange} />;
  }
}

/** A default that this installation lacks (a model that is not installed) is not preselected. */
function ChoiceField({ value, options, ...frame }: Frame & { value: string; options: readonly string[] }) {
  const offered = options.map((one) => ({ value: one, label: one.replaceAll("_", " ") }));
  return options.includes(value) ? <SelectField {...frame} value={value} options={offered} /> : <SelectField {...frame} value="" options={[{ value: "", label: "Choose…" }, ...offered]} />;
}

const MAYBE = [
  { value: "", label: "Not set" },
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
] as const;

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : []);

interface Frame {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  required: boolean;
  onChange: (value: unknown) => void;
}

/** A list of texts, one per line. The typed text is kept, because an empty last line starts the next text. */
function LinesField({ value, hint, onChange, ...frame }: Frame & { value: readonly string[] }) {
  const [text, setText] = useState(value.join("\n"));
  const type = (next: string) => {
    setText(next);
    onChange(next.split("\n").map((line) => line.trim()).filter((line) => line !== ""));
  };
  return <TextAreaField {...frame} className={WIDE} rows={2} hint={`One per line. ${hint ?? ""}`} value={text} onChange={type} />;
}

function PlacesField({ label, hint, error, count, value, onChange }: Frame & { count: number; value: readonly string[] }) {
  const all = Array.from({ length: count }, (_, index) => value[index] ?? "");
  return (
    <fieldset className={`min-w-0 ${WIDE}`}>
      <legend className="mb-1 text-xs font-medium text-ink-2">{label}</legend>
      <div className="flex flex-col gap-2">
        {all.map((text, index) => (
          <TextField key={index} label={`${label} ${index + 1}`} value={text} onChange={(next) => {
            const changed = all.with(index, next);
            onChange(changed.every((one) => one === "") ? undefined : changed);
          }} />
        ))}
      </div>
      {error ? <FieldError>{error}</FieldError> : hint && <p className="mt-1 text-xs text-ink-3">{hint}</p>}
    </fieldset>
  );
}

function NumbersField({ label, hint, error, value, onChange }: Frame & { value: unknown }) {
  const [pairs, setPairs] = useState<Pair[]>(() => Object.entries(typeof value === "object" && value !== null ? value : {}).map(([key, number]) => ({ key, value: String(number) })));
  const change = (next: Pair[]) => {
    setPairs(next);
    const named = next.filter((one) => one.key.trim() !== "");
    onChange(named.length === 0 ? undefined : Object.fromEntries(named.map((one) => [one.key.trim(), one.value.trim() === "" ? null : Number(one.value)])));
  };
  return (
    <div className={WIDE}>
      <KeyValueEditor legend={label} hint={hint} valueLabel="Number" pairs={pairs} onChange={change} errorOf={(index) => (index === pairs.length - 1 ? error : null)} />
    </div>
  );
}

function JsonField({ value, error, onChange, ...frame }: Frame & { value: unknown }) {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [isWrong, setWrong] = useState(false);
  const type = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === "" ? undefined : (JSON.parse(next) as unknown));
      setWrong(false);
    } catch {
      // Invalid JSON is sent as text, and the server refuses it.
      onChange(next);
      setWrong(true);
    }
  };
  return <TextAreaField {...frame} className={WIDE} rows={4} spellCheck={false} value={text} error={isWrong ? "This is not valid JSON yet: check brackets, quotes and commas." : error} onChange={type} />;
}
