import { useChangeAnnotatorMutation } from "@/api/annotation";
import type { AnnotatorWork, Progress } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { StateText } from "@/components/Chip";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatCount, formatDuration, formatPercent, MISSING } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { ANNOTATOR_LOOKS, goldText } from "../words";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";
const NUMBER = "text-right";

/** The work and the quality of each person in this task. */
export function Annotators({ progress }: { progress: Progress }) {
  const people = progress.annotator_stats;
  const [change, changing] = useChangeAnnotatorMutation();
  const set = (one: AnnotatorWork) => void change({ annotatorId: one.annotator_id, annotatorPatch: { status: one.status === "BLOCKED" ? "ACTIVE" : "BLOCKED" } });
  return (
    <Section title="People" aside={<p className="text-xs text-ink-2">A blocked person gets no items, and their labels no longer count.</p>}>
      {changing.error !== undefined && <div className="px-4 py-2"><ProblemNote error={changing.error} /></div>}
      {people.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">Nobody has labelled anything yet.</p>
      ) : (
        <table className="w-full">
          <thead className="border-b border-line bg-sunken text-xs text-ink-2">
            <tr>
              <th scope="col" className={HEAD}>Person</th>
              <th scope="col" className={`${HEAD} ${NUMBER}`}>Labels</th>
              <th scope="col" className={`${HEAD} ${NUMBER} max-sm:hidden`}>Agreement</th>
              <th scope="col" className={`${HEAD} ${NUMBER} max-md:hidden`}>Gold right</th>
              <th scope="col" className={`${HEAD} ${NUMBER} max-md:hidden`} title="The expected share of right labels, by the model of Dawid and Skene">Skill</th>
              <th scope="col" className={`${HEAD} ${NUMBER} max-sm:hidden`}>Time per item</th>
              <th scope="col" className={HEAD}><span className="sr-only">Action</span></th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {people.map((one) => (
              <tr key={one.annotator_id}>
                <td className={CELL}>
                  <span className="font-medium wrap-anywhere">{harmless(one.name)}</span>
                  {one.status !== "ACTIVE" && <div className="text-xs"><StateText {...ANNOTATOR_LOOKS[one.status]} /></div>}
                </td>
                <td className={`${CELL} ${NUMBER}`}>
                  {formatCount(one.annotations_count)}
                  {(one.skipped > 0 || one.flagged > 0) && <span className="block text-xs text-ink-3">{formatCount(one.skipped)} skipped, {formatCount(one.flagged)} flagged</span>}
                </td>
                <td className={`${CELL} ${NUMBER} max-sm:hidden`}>{formatPercent(one.agreement_rate)}</td>
                <td className={`${CELL} ${NUMBER} max-md:hidden`}>{goldText(one.gold_right, one.gold_total)}</td>
                <td className={`${CELL} ${NUMBER} max-md:hidden`}>{formatPercent(one.skill)}</td>
                <td className={`${CELL} ${NUMBER} max-sm:hidden`}>{one.average_time_seconds === null ? MISSING : formatDuration(one.average_time_seconds)}</td>
                <td className={`${CELL} text-right`}>
                  <Button right="annotation-tasks:update" kind={one.status === "BLOCKED" ? "plain" : "danger"} disabled={changing.isLoading} aria-label={`${one.status === "BLOCKED" ? "Unblock" : "Block"} ${harmless(one.name)}`} onClick={() => set(one)}>
                    {one.status === "BLOCKED" ? "Unblock" : "Block"}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
