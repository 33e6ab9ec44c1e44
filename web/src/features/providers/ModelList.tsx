import { useState } from "react";
import type { ModelOut } from "@/api/generated/config-api";
import { IconButton } from "@/components/Button";
import { SearchField } from "@/components/SearchField";
import { toast } from "@/components/Toast";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

/** More are not drawn: typing narrows them down. */
const MOST_SHOWN = 300;

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied.");
  } catch {
    toast("The browser blocked copying. Select the name and copy it yourself.", "bad");
  }
}

export function ModelList({ models, className = "" }: { models: readonly ModelOut[]; className?: string }) {
  const [query, setQuery] = useState("");
  const found = models.filter((one) => one.id.toLowerCase().includes(query.toLowerCase()));
  return (
    <div className={`flex min-h-0 flex-col gap-2 ${className}`}>
      <SearchField label="Search the models" value={query} onSearch={setQuery} />
      <p role="status" className="text-xs text-ink-3">
        {query === "" ? plural(models.length, "model") : `${found.length} of ${plural(models.length, "model")}`}
        {found.length > MOST_SHOWN && `, the first ${MOST_SHOWN} shown`}
      </p>
      <ul tabIndex={0} aria-label="Models" className="min-h-0 flex-1 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {found.slice(0, MOST_SHOWN).map((one) => (
          <li key={one.id} className="flex items-center gap-2 py-0.5 pr-1 pl-3 hover:bg-hover">
            <span className="min-w-0 flex-1 font-mono text-xs wrap-anywhere">{harmless(one.id)}</span>
            <IconButton icon="copy" label={`Copy ${harmless(one.id)}`} onClick={() => void copy(one.id)} />
          </li>
        ))}
        {found.length === 0 && <li className="px-3 py-6 text-center text-ink-2">No model’s name contains “{query}”.</li>}
      </ul>
    </div>
  );
}
