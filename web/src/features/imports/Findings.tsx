/** The counts and notes of the server about a file of tasks. */

import type { ImportNote, ImportResult } from "@/api/generated/config-api";
import { CopyButton } from "@/components/CopyButton";
import { PlainText } from "@/components/PlainText";
import { Section } from "@/components/Section";
import { formatCount } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

const COUNTS = [
  ["created", "new", "text-good"],
  ["updated", "changed", "text-info"],
  ["unchanged", "unchanged", "text-ink-2"],
  ["skipped", "skipped", "text-ink-2"],
  ["bad_row_count", "bad", "text-bad"],
] as const;

export function ImportCounts({ result }: { result: ImportResult }) {
  return (
    <section aria-label="What the file contains">
      <dl className="card grid grid-cols-3 divide-line sm:flex sm:divide-x">
        <Figure value={result.row_count} label={result.row_count === 1 ? "row" : "rows"} tone="text-ink" />
        {COUNTS.map(([name, label, tone]) => (
          <Figure key={name} value={result[name] ?? 0} label={label} tone={result[name] ? tone : "text-ink-3"} />
        ))}
      </dl>
    </section>
  );
}

function Figure({ value, label, tone }: { value: number; label: string; tone: string }) {
  return (
    <div className="flex flex-1 flex-col-reverse px-4 py-2.5">
      <dt className="text-xs whitespace-nowrap text-ink-2">{label}</dt>
      <dd className={`text-lg font-semibold ${tone}`}>{formatCount(value)}</dd>
    </div>
  );
}

export function Notes({ notes, count }: { notes: readonly ImportNote[]; count: number }) {
  if (notes.length === 0) return null;
  return (
    <Section title="Fields that a task does not have" aside={notes.reduce((all, one) => all + (one.count ?? 1), 0) < count && <p className="text-xs text-ink-2">The first {formatCount(notes.length)} of {formatCount(count)}</p>}>
      <ul tabIndex={0} aria-label="Fields that a task does not have" className="max-h-60 divide-y divide-line overflow-y-auto">
        {notes.map((one, index) => (
          <li key={index} className="flex gap-3 px-4 py-1.5">
            <span className="w-14 shrink-0 font-mono text-xs leading-5 text-ink-3">{one.line}</span>
            <span className="min-w-0 wrap-anywhere">
              {harmless(one.message)}
              {(one.count ?? 1) > 1 && <span className="text-ink-3"> · {formatCount(one.count ?? 1)} times</span>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The evaluators that a run over these tasks needs to score them as their file did. */
export function Evaluators({ evaluators }: { evaluators: ImportResult["evaluators"] }) {
  if (!evaluators || evaluators.length === 0) return null;
  const text = JSON.stringify(evaluators, null, 2);
  return (
    <Section title="Evaluators that the file asks for" aside={<CopyButton label="Copy" text={() => text} />}>
      <p className="px-4 pt-2.5 text-ink-2">Name these in a run over the tasks, to score them as the file does.</p>
      <PlainText text={text} className="px-4 py-2.5 font-mono text-xs leading-5" />
    </Section>
  );
}
