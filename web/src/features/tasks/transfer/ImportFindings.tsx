/** The content of a file and its errors, before the import. */

import type { BadRow, ImportNote, ImportResult, PreviewedTask } from "@/api/generated/config-api";
import { StateText, type ChipLook } from "@/components/Chip";
import { CopyButton } from "@/components/CopyButton";
import { PlainText } from "@/components/PlainText";
import { Section } from "@/components/Section";
import { formatCount, plural } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { lineOf } from "./import-plan";

const HEAD = "px-3 py-2 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2 align-top first:pl-4 last:pr-4";

const LOOKS: Readonly<Record<PreviewedTask["change"], ChipLook>> = {
  created: { label: "New", tone: "good", icon: "plus" },
  updated: { label: "Changed", tone: "info", icon: "pencil" },
  unchanged: { label: "Unchanged", tone: "neutral", icon: "dot" },
  skipped: { label: "Skipped", tone: "neutral", icon: "next" },
};

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

export function BadRows({ rows, count, text }: { rows: readonly BadRow[]; count: number; text: string }) {
  if (rows.length === 0) return null;
  const lines = new Set(rows.map((one) => one.line)).size;
  return (
    <Section title={`${plural(count, "bad row")}`} aside={lines < count && <p className="text-xs text-ink-2">The first {formatCount(lines)} are shown</p>}>
      <div tabIndex={0} role="group" aria-label="Bad rows" className="max-h-96 overflow-y-auto">
        <table className="w-full table-fixed">
          <thead className="sticky top-0 border-b border-line bg-sunken text-xs text-ink-2">
            <tr>
              <th scope="col" className={`${HEAD} w-18`}>Line</th>
              <th scope="col" className={HEAD}>What is wrong</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map((one, index) => {
              const line = lineOf(text, one.line);
              return (
                <tr key={index}>
                  <td className={`${CELL} font-mono text-xs leading-5`}>{one.line}</td>
                  <td className={CELL}>
                    <p className="wrap-anywhere text-bad">
                      {one.field && <strong className="font-semibold">{harmless(one.field)}: </strong>}
                      {harmless(one.message)}
                    </p>
                    {line !== "" && <p className="truncate font-mono text-xs text-ink-3">{harmless(excerpt(line, 300, 1).text)}</p>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Section>
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

export function Preview({ tasks, count }: { tasks: readonly PreviewedTask[]; count: number }) {
  if (tasks.length === 0) return null;
  return (
    <Section title="Preview" aside={tasks.length < count && <p className="text-xs text-ink-2">The first {tasks.length} of {plural(count, "good row")}</p>}>
      <table className="w-full table-fixed">
        <thead className="border-b border-line bg-sunken text-xs text-ink-2">
          <tr>
            <th scope="col" className={`${HEAD} w-18`}>Line</th>
            <th scope="col" className={HEAD}>Task</th>
            <th scope="col" className={`${HEAD} hidden w-40 sm:table-cell`}>Category</th>
            <th scope="col" className={`${HEAD} w-32`}>What happens</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {tasks.map(({ line, change, task }) => (
            <tr key={line}>
              <td className={`${CELL} font-mono text-xs leading-5`}>{line}</td>
              <td className={CELL}>
                <p className="font-medium wrap-anywhere">{harmless(task.task_id)}</p>
                <p dir="auto" className="line-clamp-2 text-ink-2 wrap-anywhere">{harmless(excerpt(task.question, 240, 3).text)}</p>
              </td>
              <td className={`${CELL} hidden sm:table-cell`}>
                <div className="truncate">{harmless(task.category)}</div>
                {task.subcategory && <div className="truncate text-xs text-ink-3">{harmless(task.subcategory)}</div>}
              </td>
              <td className={CELL}>
                <StateText {...LOOKS[change]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
