import { useState } from "react";
import { FieldError, INPUT, TextAreaField } from "@/components/Field";
import { Section } from "@/components/Section";
import { plural } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import type { FileColumn } from "./file-columns";

/** The field of each column; a column without an entry is matched by its name. */
export type ColumnMapping = Readonly<Record<string, string>>;

const FIELDS = [
  ["prompt", "the prompt"],
  ["expected_output", "the expected output"],
  ["ground_truth.acceptable_answers", "other accepted answers"],
  ["ground_truth.citations", "sources to cite"],
  ["context", "the context"],
  ["system_prompt", "the system prompt"],
  ["choices", "the choices"],
  ["messages", "messages of a chat"],
  ["id", "the case’s id"],
  ["conversation_id", "the conversation’s id"],
  ["turn", "the turn in its conversation"],
  ["checks", "checks"],
] as const;

interface Props {
  /** Null if the browser cannot read the file's columns. */
  columns: readonly FileColumn[] | null;
  mapping: ColumnMapping;
  error: string | undefined;
  onChange: (mapping: ColumnMapping) => void;
}

/** Assign a field to each column of the file, next to its example values. */
export function ColumnMap({ columns, mapping, error, onChange }: Props) {
  if (!columns) return <WrittenMap mapping={mapping} error={error} onChange={onChange} />;
  const set = (name: string, field: string) => {
    const { [name]: _, ...others } = mapping;
    onChange(field === "" ? others : { ...others, [name]: field });
  };
  return (
    <Section title={`${plural(columns.length, "column")} in the file`} aside={<p className="text-xs text-ink-2">A column without a choice is recognised by its name; the version shows how</p>}>
      <div tabIndex={0} role="group" aria-label="Columns of the file" className="max-h-96 overflow-y-auto outline-offset-[-2px]">
        <ul className="divide-y divide-line">
          {columns.map(({ name, examples }) => (
            <li key={name} className="grid grid-cols-2 items-start gap-x-4 gap-y-1 px-4 py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_minmax(0,1.5fr)]">
              <span className="pt-1.5 font-mono text-xs leading-5 wrap-anywhere">{harmless(name)}</span>
              <div aria-label={`First values of ${harmless(name)}`} role="group" className="min-w-0 pt-1 text-xs text-ink-2 max-sm:order-3 max-sm:col-span-2">
                {examples.map((one, index) => <p key={index} dir="auto" className="truncate">{harmless(excerpt(one, 120, 1).text)}</p>)}
              </div>
              <select aria-label={`${harmless(name)} is`} className={`${INPUT} h-8`} value={mapping[name] ?? ""} onChange={(event) => set(name, event.target.value)}>
                <option value="">as its name says</option>
                {FIELDS.map(([field, label]) => <option key={field} value={field}>{label}</option>)}
                <option value={metadataOf(name)}>a field of the metadata</option>
              </select>
            </li>
          ))}
        </ul>
      </div>
      {error && <div className="border-t border-line px-4 py-2"><FieldError>{error}</FieldError></div>}
    </Section>
  );
}

/** `level of it` becomes `metadata.level_of_it`: a name of letters, digits and underscores. */
const metadataOf = (name: string) => `metadata.${name.trim().replaceAll(/[^\w.]+/g, "_")}`;

function WrittenMap({ mapping, error, onChange }: Omit<Props, "columns">) {
  // The typed text is kept as it is: an incomplete line is not a pair yet.
  const [text, setText] = useState(() => Object.entries(mapping).map((pair) => pair.join("=")).join("\n"));
  const type = (next: string) => {
    setText(next);
    const lines = next.split("\n").filter((line) => line.trim() !== "");
    onChange(Object.fromEntries(lines.map((line) => [line.slice(0, Math.max(0, line.lastIndexOf("="))).trim(), line.slice(line.lastIndexOf("=") + 1).trim()])));
  };
  return (
    <Section title="Columns of the file">
      <div className="px-4 py-3">
        <TextAreaField label="Meaning of the columns" hint="One per line, for example: right one=expected_output. Other columns are recognised by their names." mono rows={3} spellCheck={false} value={text} error={error} onChange={type} />
      </div>
    </Section>
  );
}
