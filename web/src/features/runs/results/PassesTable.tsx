import type { TargetResult } from "@/api/generated/orchestrator";
import { zoomedAxis } from "@/components/charts/axis";
import { AxisEnds, IntervalBar } from "@/components/IntervalBar";
import { Section } from "@/components/Section";
import { formatCount } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { CELL, HEAD } from "./FiguresTable";

/** The rates at which at least one of k attempts passes and at which all pass, for targets with several epochs. */
export function PassesTable({ results }: { results: readonly TargetResult[] }) {
  const rows = results.flatMap((result) => result.passes.map((at) => ({ result, at })));
  if (rows.length === 0) return null;
  const any = zoomedAxis(rows.map(({ at }) => ({ value: at.pass_at_k, interval: at.pass_at_k_interval })));
  const every = zoomedAxis(rows.map(({ at }) => ({ value: at.pass_hat_k, interval: at.pass_hat_k_interval })));
  return (
    <Section title="Tries per case" aside={<p className="text-xs text-ink-3">Unbiased estimates, means over the cases with at least k verdicts</p>}>
      <div tabIndex={0} role="group" aria-label="Tries per case" className="overflow-x-auto outline-offset-[-2px]">
        <table className="w-full">
          <thead className="border-b border-line bg-sunken text-xs text-ink-2">
            <tr>
              <th scope="col" className={HEAD}>Target</th>
              <th scope="col" className={HEAD}>k</th>
              <th scope="col" className={HEAD}><abbr title="At least one of k tries passes" className="no-underline">pass@k</abbr><AxisEnds axis={any} /></th>
              <th scope="col" className={HEAD}><abbr title="All of k tries pass" className="no-underline">pass^k</abbr><AxisEnds axis={every} /></th>
              <th scope="col" className={HEAD}>Cases</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map(({ result, at }) => (
              <tr key={`${result.target_id} ${at.k}`} className="hover:bg-hover">
                <th scope="row" className={`${CELL} max-w-72 font-normal`}>
                  <div className="truncate font-medium" title={result.label}>{harmless(result.label)}</div>
                </th>
                <td className={CELL}>{at.k}</td>
                <td className={CELL}><IntervalBar value={at.pass_at_k} interval={at.pass_at_k_interval} axis={any} /></td>
                <td className={CELL}><IntervalBar value={at.pass_hat_k} interval={at.pass_hat_k_interval} axis={every} /></td>
                <td className={`${CELL} text-ink-2`}>{formatCount(at.cases)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
