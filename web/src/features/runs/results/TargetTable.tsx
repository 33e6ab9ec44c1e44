import type { EvaluatorOut, TargetResult } from "@/api/generated/orchestrator";
import { Meter } from "@/components/Meter";
import { Section } from "@/components/Section";
import { formatCount, formatLatency, formatPercent, formatRate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

const HEAD = "px-3 py-2.5 text-right font-medium whitespace-nowrap first:pl-4 first:text-left last:pr-4";
const CELL = "px-3 py-2.5 text-right whitespace-nowrap first:pl-4 first:text-left last:pr-4";

interface Props {
  results: readonly TargetResult[];
  evaluators: readonly EvaluatorOut[];
}

/** One line per target; what a mean was taken over is always beside it. */
export function TargetTable({ results, evaluators }: Props) {
  const scale = evaluators[0];
  return (
    <Section
      title="Results by target"
      aside={scale && <p className="text-xs text-ink-3">Judge’s scale {scale.scale_min} to {scale.scale_max}, shown in percent of it</p>}
    >
      <div tabIndex={0} role="group" aria-label="Results by target" className="overflow-x-auto">
        <table className="w-full">
          <thead className="border-b border-line bg-sunken text-xs text-ink-2">
            <tr>
              <th scope="col" className={HEAD}>Target</th>
              <th scope="col" className={HEAD}>Items</th>
              <th scope="col" className={HEAD}>Completed</th>
              <th scope="col" className={HEAD}>Failed</th>
              <th scope="col" className={HEAD}>Mean score</th>
              <th scope="col" className={HEAD}>Pass rate</th>
              <th scope="col" className={HEAD}>Scored</th>
              <th scope="col" className={HEAD}>Mean time</th>
              <th scope="col" className={HEAD}><abbr title="Time to first token" className="no-underline">Mean TTFT</abbr></th>
              <th scope="col" className={HEAD}>Tokens/s</th>
              <th scope="col" className={HEAD}>Tokens out</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {results.map((one) => (
              <tr key={one.target_id} className="hover:bg-hover">
                <th scope="row" className={`${CELL} max-w-72 font-normal`}>
                  <div className="truncate font-medium" title={one.label}>{harmless(one.label)}</div>
                  <div className="truncate text-xs text-ink-3" title={one.model}>{harmless(one.model)}</div>
                </th>
                <td className={CELL}>{formatCount(one.items)}</td>
                <td className={CELL}>{formatCount(one.completed)}</td>
                <td className={`${CELL} ${one.failed > 0 ? "text-bad" : ""}`}>{formatCount(one.failed)}</td>
                <td className={`${CELL} font-medium`}><Meter value={one.mean_score} /></td>
                <td className={CELL}>{formatPercent(one.pass_rate)}</td>
                <td className={`${CELL} text-ink-2`}>{formatCount(one.scored)} of {formatCount(one.items)}</td>
                <td className={CELL}>{formatLatency(one.mean_time_ms)}</td>
                <td className={CELL}>{formatLatency(one.mean_first_token_ms)}</td>
                <td className={CELL}>{formatRate(one.mean_tokens_per_second)}</td>
                <td className={CELL}>{formatCount(one.completion_tokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {results.length === 0 && <p className="px-4 py-8 text-center text-ink-2">Results appear with the first answers.</p>}
      </div>
    </Section>
  );
}
