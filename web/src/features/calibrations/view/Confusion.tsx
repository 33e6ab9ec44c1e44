import type { CalibrationFigures } from "@/api/generated/orchestrator";
import { Section } from "@/components/Section";
import { formatCount, formatScore } from "@/lib/format";

/** More levels than this make an unreadable table. */
const MOST_LEVELS = 21;

/** A table of how often people put an answer at a level, and the judge at another. */
export function Confusion({ figures: { confusion }, levels }: { figures: CalibrationFigures; levels: readonly number[] }) {
  const used = levels.map((_, at) => (confusion[at] ?? []).some((count) => count > 0) || confusion.some((row) => (row[at] ?? 0) > 0));
  const places = levels.map((_, at) => at).filter((at) => levels.length <= MOST_LEVELS || used[at]);
  const most = Math.max(1, ...confusion.flat());
  return (
    <Section title="Which level for which">
      {places.length > MOST_LEVELS ? (
        <p className="px-4 py-4 text-ink-2">The labels use {formatCount(places.length)} levels, too many for a table. The export has them all.</p>
      ) : (
        <div tabIndex={0} role="group" aria-label="Levels of people and judge" className="overflow-x-auto p-4 outline-offset-[-2px]">
          <table className="text-center text-xs tabular-nums">
            <caption className="pb-2 text-left text-ink-2">Rows: people. Columns: the judge.</caption>
            <thead className="text-ink-2">
              <tr>
                <th scope="col" className="pb-1"><span className="sr-only">Level of people</span></th>
                {places.map((at) => <th key={at} scope="col" className="px-1 pb-1 font-medium">{formatScore(levels[at])}</th>)}
              </tr>
            </thead>
            <tbody>
              {places.map((row) => (
                <tr key={row}>
                  <th scope="row" className="pr-2 text-right font-medium text-ink-2">{formatScore(levels[row])}</th>
                  {places.map((column) => {
                    const count = confusion[row]?.[column] ?? 0;
                    return <td key={column} className={`h-7 min-w-8 border border-line px-1 ${count === 0 ? "text-ink-3" : `font-medium ${row === column ? "bg-good-soft" : count * 3 >= most ? "bg-bad-soft" : "bg-warn-soft"}`}`}>{count === 0 ? "·" : formatCount(count)}</td>;
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
