import { Link } from "react-router";
import type { RoundOut, RoundStatus } from "@/api/generated/orchestrator";
import { Chip, type ChipLook } from "@/components/Chip";
import { Moment } from "@/components/Moment";
import { Section } from "@/components/Section";
import { formatCount, formatPart, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

const LOOKS: Record<RoundStatus, ChipLook> = {
  STARTING: { label: "Beginning", tone: "info", icon: "clock" },
  STARTED: { label: "Going on", tone: "info", icon: "play" },
  OVER: { label: "Over", tone: "good", icon: "check" },
  FAILED: { label: "Failed", tone: "bad", icon: "cross" },
  DROPPED: { label: "Dropped", tone: "neutral", icon: "ban" },
};
const HEAD = "px-3 py-2.5 text-left font-medium whitespace-nowrap first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

/** The rounds, the newest first, each with its run. */
export function RoundsSection({ rounds }: { rounds: readonly RoundOut[] }) {
  return (
    <Section title="Rounds" aside={rounds.length > 0 && <p className="text-xs text-ink-2">{plural(rounds.length, "run")}</p>}>
      {rounds.length === 0 ? (
        <p className="px-4 py-6 text-ink-2">The first round begins soon. Each round is a run of its own.</p>
      ) : (
        <div className="max-h-96 overflow-auto" tabIndex={0} role="group" aria-label="List of rounds">
          <table aria-label="Rounds" className="w-full">
            <thead className="border-b border-line bg-sunken text-xs text-ink-2">
              <tr>{["Round", "State", "Cases", "Answers", "Began"].map((one) => <th key={one} scope="col" className={HEAD}>{one}</th>)}</tr>
            </thead>
            <tbody className="divide-y divide-line">
              {rounds.toReversed().map((one) => (
                <tr key={one.round_id}>
                  <th scope="row" className={`${CELL} text-left font-normal whitespace-nowrap`}>
                    {one.run_id === null ? `Round ${one.number}` : <Link to={`/runs/${one.run_id}`} className="font-medium text-accent hover:underline">Round {one.number}</Link>}
                    {one.attempt > 1 && <span className="block text-xs text-ink-3">attempt {one.attempt}</span>}
                  </th>
                  <td className={CELL}>
                    <Chip {...LOOKS[one.status]} />
                    {one.reason && <p className="mt-1 max-w-80 min-w-48 text-xs wrap-anywhere text-ink-2">{harmless(one.reason)}</p>}
                  </td>
                  <td className={CELL}>{formatCount(one.cases)}</td>
                  <td className={`${CELL} whitespace-nowrap`}>{formatPart(one.items_done, one.items)}</td>
                  <td className={`${CELL} whitespace-nowrap`}><Moment at={one.created_at} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
