import { useState } from "react";
import type { PromptVariable, VariableType } from "@/api/generated/config-api";
import { CheckField, FieldError, SelectField, TextField } from "@/components/Field";
import { Section } from "@/components/Section";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { defaultText, TYPE_LABELS, typedDefault } from "../prompt-words";

const TYPES = (Object.keys(TYPE_LABELS) as VariableType[]).map((value) => ({ value, label: TYPE_LABELS[value] }));
const DEFAULT_HINTS: Partial<Record<VariableType, string>> = { boolean: "true or false", list: 'JSON, such as ["a", "b"]' };

interface Props {
  variables: readonly PromptVariable[];
  errors: readonly string[];
  onChange: (variable: PromptVariable) => void;
}

/** The variables that the templates use. They are found in the templates; type, default and description are set here. */
export function VariablesSection({ variables, errors, onChange }: Props) {
  return (
    <Section title="Variables" aside={<p className="text-xs text-ink-2">{variables.length > 0 ? `${plural(variables.length, "variable")} found in the templates` : "Found in the templates"}</p>}>
      {errors.length > 0 && <div className="px-4 pt-3">{errors.map((message) => <FieldError key={message}>{harmless(message)}</FieldError>)}</div>}
      {variables.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">The templates use no variable, so every case gets the same messages.</p>
      ) : (
        <ul aria-label="Variables" className="divide-y divide-line">
          {variables.map((one) => <Variable key={one.name} variable={one} onChange={onChange} />)}
        </ul>
      )}
    </Section>
  );
}

function Variable({ variable, onChange }: { variable: PromptVariable; onChange: (variable: PromptVariable) => void }) {
  // Typed values live here, because the list follows the server's answer.
  const [form, setForm] = useState({ type: variable.type ?? "string", text: defaultText(variable.default), required: variable.required ?? true, description: variable.description ?? "" });
  const change = (part: Partial<typeof form>) => {
    const next = { ...form, ...part };
    setForm(next);
    onChange({ name: variable.name, type: next.type, default: typedDefault(next.type, next.text), required: next.required, description: next.description.trim() === "" ? null : next.description });
  };
  return (
    <li className="px-4 py-3">
      <fieldset className="grid items-start gap-3 sm:grid-cols-[7rem_minmax(0,1fr)_minmax(0,1fr)]">
        <legend className="mb-2 font-mono text-xs font-medium wrap-anywhere">{variable.name}</legend>
        <SelectField label="Type" options={TYPES} value={form.type} onChange={(type) => change({ type })} />
        <TextField label="Default" hint={DEFAULT_HINTS[form.type]} placeholder="None" value={form.text} onChange={(text) => change({ text })} />
        <TextField label="Description" maxLength={1000} value={form.description} onChange={(description) => change({ description })} />
        <CheckField className="sm:col-span-3" label="Refuse a run if a case has no value and there is no default" checked={form.required} onChange={(required) => change({ required })} />
      </fieldset>
    </li>
  );
}
