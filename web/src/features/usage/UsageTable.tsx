import type { UsageOut, UsageRow } from "@/api/usage";
import { formatBytes, formatCount, formatUsd, knownCost } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

const HEADS = { day: "Day (UTC)", person: "Person", model: "Model" } as const;
const CELL = "px-4 py-2 text-right whitespace-nowrap";

/** The sums of each day, person or model. */
export function UsageTable({ usage, nameOf }: { usage: UsageOut; nameOf: (id: string | null) => string }) {
  const by = usage.group_by;
  const withFiles = by === "person";
  const files = new Map(usage.storage.people.map((one) => [one.person_id, one.bytes]));
  const name = (row: UsageRow) => (by === "day" ? row.day : by === "person" ? nameOf(row.person_id ?? null) : harmless(row.model ?? ""));
  return (
    // Keyboards have to reach the columns that a narrow screen cuts off.
    <div className="card overflow-x-auto" tabIndex={0} role="region" aria-label={`Usage by ${by}`}>
      <table className="w-full tabular-nums">
        <thead className="border-b border-line text-xs text-ink-2">
          <tr>
            <th scope="col" className="px-4 py-2 text-left font-medium">{HEADS[by]}</th>
            {["Cost", "Calls", "Tokens in", "Tokens out", "Items", ...(withFiles ? ["Files now"] : [])].map((head) => <th key={head} scope="col" className={`${CELL} font-medium`}>{head}</th>)}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {usage.rows.map((row) => (
            <tr key={row.day ?? row.person_id ?? row.model ?? ""} className="hover:bg-hover">
              <th scope="row" className="max-w-64 min-w-32 px-4 py-2 text-left font-normal wrap-anywhere">{name(row)}</th>
              <td className={CELL}>{formatUsd(knownCost(row))}{row.unpriced_calls > 0 && <span className="text-ink-2" title="calls of unknown cost"> + {formatCount(row.unpriced_calls)}?</span>}</td>
              <td className={CELL}>{formatCount(row.calls)}</td>
              <td className={CELL}>{formatCount(row.prompt_tokens)}</td>
              <td className={CELL}>{formatCount(row.completion_tokens)}</td>
              <td className={CELL}>{formatCount(row.items)}</td>
              {withFiles && <td className={CELL}>{formatBytes(files.get(row.person_id ?? null) ?? 0)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
