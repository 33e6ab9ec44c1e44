import type { EvaluatorOut, PanelAgreement } from "@/api/generated/orchestrator";
import { IntervalBar } from "@/components/IntervalBar";
import { formatCount, formatUsd, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { CELL, HEAD } from "./FiguresTable";

/** Krippendorff's alpha, or why there is none. */
const agreed = ({ alpha, undefined_because, answers }: PanelAgreement): string =>
  alpha === null ? `agreement not defined: ${undefined_because ?? "nothing is scored"}` : `agreement α ${alpha.toFixed(2)} over ${plural(answers, "answer")}`;

/** Scores of different judges are never mixed: each has its own line, and one speaks for the run. */
export function JudgeTable({ evaluators }: { evaluators: readonly EvaluatorOut[] }) {
  return (
    <div tabIndex={0} role="group" aria-label="Judges" className="overflow-x-auto outline-offset-[-2px]">
      <table className="w-full">
        <thead className="border-b border-line bg-sunken text-xs text-ink-2">
          <tr>
            {["Judge", "Own mean score", "Asked", "Scored", "Unparsed", "Refused", "Errored", "Pending", "Scale", "Cost"].map((name) => (
              <th key={name} scope="col" className={HEAD}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {evaluators.map((one) => (
            <tr key={one.revision_id} className="hover:bg-hover">
              <th scope="row" className={`${CELL} max-w-72 font-normal`}>
                <div className="truncate font-medium">
                  {harmless(one.judge_model ?? (one.panel ? `Panel of ${one.panel.judges.length}` : one.kind))}
                  {one.primary && !one.member && <span className="ml-2 rounded bg-info-soft px-1.5 text-xs text-info">speaks for the run</span>}
                </div>
                <div className="truncate text-xs text-ink-3" title={one.prompt_hash}>
                  {one.kind} {one.schema_version}
                  {one.member && " · of a panel"}
                  {one.agreement && ` · ${agreed(one.agreement)}`}
                </div>
              </th>
              <td className={CELL}><IntervalBar value={one.mean_score} interval={one.mean_score_interval} /></td>
              <td className={CELL}>{formatCount(one.asked)}</td>
              <td className={CELL}>{formatCount(one.scored)}</td>
              {[one.unparsed, one.refused, one.errored].map((count, index) => (
                <td key={["unparsed", "refused", "errored"][index]} className={`${CELL} ${count > 0 ? "text-bad" : "text-ink-2"}`}>{formatCount(count)}</td>
              ))}
              <td className={`${CELL} text-ink-2`}>{formatCount(one.pending)}</td>
              <td className={`${CELL} text-ink-2`}>{one.scale_min} to {one.scale_max}</td>
              <td className={CELL}>{formatUsd(one.cost_usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
