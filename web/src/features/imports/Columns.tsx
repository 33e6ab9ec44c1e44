import type { MappedColumn } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { FieldError, INPUT } from "@/components/Field";
import { Section } from "@/components/Section";
import { plural } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { fieldsOf, IGNORED, metadataOf, recognisedAs, type ColumnMapping } from "./fields";
import type { Destination } from "./import-plan";
import type { FileColumn } from "./read-head";

interface Props {
  columns: readonly FileColumn[];
  to: Destination;
  mapping: ColumnMapping;
  /** The field of each column as the server read it. */
  read: readonly MappedColumn[];
  error: string | undefined;
  isRemembered: boolean;
  onChange: (mapping: ColumnMapping) => void;
}

/** The columns of the file with their types and first values, and the field that each becomes. */
export function Columns({ columns, to, mapping, read, error, isRemembered, onChange }: Props) {
  const set = (name: string, field: string) => {
    const next = new Map(mapping);
    if (field === "") next.delete(name);
    else next.set(name, field);
    onChange(next);
  };
  const fields = fieldsOf(to);
  return (
    <Section
      title={`${plural(columns.length, "column")} in the file`}
      aside={mapping.size > 0 && <Button onClick={() => onChange(new Map())}>Recognise all by name</Button>}
    >
      {isRemembered && <p role="status" className="border-b border-line bg-sunken px-4 py-2 text-xs text-ink-2">The columns are read as they were when you last imported a file with this header.</p>}
      <div tabIndex={0} role="group" aria-label="Columns of the file" className="max-h-[28rem] overflow-y-auto outline-offset-[-2px]">
        <ul className="divide-y divide-line">
          {columns.map(({ name, type, examples }) => (
            <li key={name} className="grid grid-cols-2 items-start gap-x-4 gap-y-1 px-4 py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.75fr)_minmax(0,1.5fr)]">
              <div className="min-w-0 pt-1">
                <p dir="auto" className="line-clamp-3 font-mono text-xs leading-5 wrap-anywhere">{harmless(excerpt(name, 200, 2).text)}</p>
                <p className="text-xs text-ink-3">{type}</p>
              </div>
              <div aria-label={`First values of ${harmless(name)}`} role="group" className="min-w-0 pt-1 text-xs text-ink-2">
                {examples.map((one, index) => <p key={index} dir="auto" className="truncate">{harmless(excerpt(one, 120, 1).text)}</p>)}
              </div>
              <ColumnSelect name={name} value={mapping.get(name) ?? ""} recognised={recognisedAs(name, read)} fields={fields} onChange={(field) => set(name, field)} />
            </li>
          ))}
        </ul>
      </div>
      {error && <div className="border-t border-line px-4 py-2"><FieldError>{error}</FieldError></div>}
    </Section>
  );
}

interface SelectProps {
  name: string;
  value: string;
  recognised: string | null;
  fields: readonly (readonly [string, string])[];
  onChange: (field: string) => void;
}

function ColumnSelect({ name, value, recognised, fields, onChange }: SelectProps) {
  const others = [metadataOf(name), IGNORED];
  // A remembered mapping may have a field that only the other destination offers.
  const isOffered = value === "" || others.includes(value) || fields.some(([field]) => field === value);
  return (
    <select aria-label={`${harmless(name)} is`} className={`${INPUT} h-8 max-sm:col-span-2 ${value === "" ? "text-ink-2" : "font-medium"}`} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{recognised === null ? "As its name says" : `By its name: ${harmless(excerpt(recognised, 60, 1).text)}`}</option>
      {fields.map(([field, label]) => <option key={field} value={field}>{label}</option>)}
      <option value={metadataOf(name)}>A field of the metadata</option>
      <option value={IGNORED}>Leave it out</option>
      {!isOffered && <option value={value}>{harmless(value)}</option>}
    </select>
  );
}
