import type { CollectionOut } from "@/api/generated/config-api";
import { ButtonLink } from "@/components/Button";
import { CheckField, FieldError, INPUT } from "@/components/Field";
import { Section } from "@/components/Section";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useState } from "react";
import { errorsUnder } from "@/lib/form-errors";

interface Props {
  collections: readonly CollectionOut[];
  chosen: readonly string[];
  errors: Readonly<Record<string, string>>;
  onChange: (chosen: string[]) => void;
}

const SEARCHED_FROM = 9;

export function CollectionsSection({ collections, chosen, errors, onChange }: Props) {
  const [query, setQuery] = useState("");
  const shown = collections.filter((one) => one.name.toLowerCase().includes(query.trim().toLowerCase()));
  const gone = chosen.filter((id) => !collections.some((one) => one.id === id));
  const toggle = (id: string, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id));
  return (
    <Section title="Collections" aside={<p className="text-xs text-ink-2">{chosen.length > 0 ? `${plural(chosen.length, "collection")} chosen` : "The tasks that are asked"}</p>}>
      <div className="flex flex-col gap-2 px-4 py-3">
        {collections.length === 0 && (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="min-w-0 flex-1 basis-60 text-ink-2">There are no collections yet. A collection is a named set of tasks; a file of tasks is imported into one.</p>
            <ButtonLink right="tasks:create" to="/import" icon="up">Import tasks</ButtonLink>
          </div>
        )}
        {collections.length >= SEARCHED_FROM && (
          <input type="search" aria-label="Search collections" placeholder="Search collections" value={query} onChange={(event) => setQuery(event.target.value)} className={`${INPUT} h-8`} />
        )}
        <div className="grid max-h-72 gap-x-4 gap-y-2 overflow-y-auto py-0.5 sm:grid-cols-2">
          {shown.toSorted((a, b) => Number(a.task_count === 0) - Number(b.task_count === 0)).map((one) => (
            <CheckField
              key={one.id}
              label={harmless(one.name)}
              hint={one.task_count === 0 ? "Empty: assign tasks to it first" : plural(one.task_count, "task")}
              // A chosen collection can always be deselected.
              disabled={one.task_count === 0 && !chosen.includes(one.id)}
              checked={chosen.includes(one.id)}
              onChange={(on) => toggle(one.id, on)}
            />
          ))}
          {gone.map((id) => (
            <CheckField key={id} label="A deleted collection" hint={id} checked onChange={() => toggle(id, false)} />
          ))}
        </div>
        {errorsUnder(errors, "collection_ids").map((message) => <FieldError key={message}>{message}</FieldError>)}
      </div>
    </Section>
  );
}
