import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Figures } from "@/api/generated/orchestrator";
import { zoomedAxis } from "@/components/charts/axis";
import { AxisEnds, IntervalBar } from "@/components/IntervalBar";
import { formatCount, formatLatency, formatPart, formatRate, formatRequests, formatUsd } from "@/lib/format";
import { ESTIMATED, estimated } from "./estimated";
import { useItemsHref, type ChosenItems } from "./item-filter";

export const HEAD = "px-2 py-2.5 text-right font-medium whitespace-nowrap first:pl-4 first:text-left last:pr-4";
export const CELL = "px-2 py-2.5 text-right whitespace-nowrap first:pl-4 first:text-left last:pr-4";

export interface FiguresRow {
  key: string;
  name: ReactNode;
  figures: Figures;
  /** The filter that selects the items of this row. */
  filter: ChosenItems;
}

interface Props {
  label: string;
  what: string;
  rows: readonly FiguresRow[];
}

/** A table of figures, one row per group of items. */
export function FiguresTable({ label, what, rows }: Props) {
  const itemsHref = useItemsHref();
  if (rows.length === 0) return null;
  // Calls of different categories overlap: only a run and its targets have a throughput.
  const throughput = rows.some((row) => row.figures.requests_per_second != null);
  const scores = zoomedAxis(rows.map(({ figures }) => ({ value: figures.mean_score, interval: figures.mean_score_interval })));
  const passes = zoomedAxis(rows.map(({ figures }) => ({ value: figures.pass_rate, interval: figures.pass_rate_interval })));
  return (
    <div tabIndex={0} role="group" aria-label={label} className="overflow-x-auto outline-offset-[-2px]">
      <table className="w-full">
        <thead className="border-b border-line bg-sunken text-xs text-ink-2">
          <tr>
            <th scope="col" className={HEAD}>{what}</th>
            <th scope="col" className={HEAD}>Mean score<AxisEnds axis={scores} /></th>
            <th scope="col" className={HEAD}>Pass rate<AxisEnds axis={passes} /></th>
            <th scope="col" className={HEAD}>Scored</th>
            <th scope="col" className={HEAD}>Failed</th>
            <th scope="col" className={HEAD} title="Answers that ended at their token limit">Cut</th>
            <th scope="col" className={HEAD}>Mean time</th>
            <th scope="col" className={HEAD}>p50</th>
            <th scope="col" className={HEAD}>p95</th>
            <th scope="col" className={HEAD}>p99</th>
            <th scope="col" className={HEAD}><abbr title="Time to first token" className="no-underline">Mean TTFT</abbr></th>
            <th scope="col" className={HEAD}><abbr title="Within an answer: tokens after the first, divided by the time from the first token to the last" className="no-underline">Tokens/s</abbr></th>
            {throughput && <th scope="col" className={HEAD}><abbr title="Tokens of all calls together, per second of the time in which at least one call was in progress" className="no-underline">All tokens/s</abbr></th>}
            {throughput && <th scope="col" className={HEAD}><abbr title="Answers per second of the time in which at least one call was in progress" className="no-underline">Requests/s</abbr></th>}
            <th scope="col" className={HEAD}>Tokens out</th>
            <th scope="col" className={HEAD}>Cost</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ key, name, figures, filter }) => (
            <tr key={key} className="hover:bg-hover">
              <th scope="row" className={`${CELL} max-w-72 font-normal`}>{name}</th>
              <td className={CELL}><IntervalBar value={figures.mean_score} interval={figures.mean_score_interval} axis={scores} /></td>
              <td className={CELL}><IntervalBar value={figures.pass_rate} interval={figures.pass_rate_interval} axis={passes} /></td>
              <td className={`${CELL} text-ink-2`}>
                <Link to={itemsHref(filter)} className="hover:text-accent hover:underline">
                  {formatPart(figures.scored, figures.items)}
                </Link>
                {(figures.skipped ?? 0) > 0 && (
                  <Link to={itemsHref({ ...filter, status: "SKIPPED" })} className="block text-xs hover:text-accent hover:underline">
                    {formatCount(figures.skipped ?? 0)} skipped
                  </Link>
                )}
              </td>
              <td className={CELL}>
                {figures.failed > 0 ? (
                  <Link to={itemsHref({ ...filter, status: "FAILED" })} className="text-bad hover:underline">
                    {formatCount(figures.failed)}
                  </Link>
                ) : (
                  "0"
                )}
              </td>
              <td className={CELL}>
                {figures.cut > 0 ? (
                  <Link to={itemsHref({ ...filter, cut: "true" })} className="text-warn hover:underline">
                    {formatCount(figures.cut)}
                  </Link>
                ) : (
                  "0"
                )}
              </td>
              <td className={CELL}>{formatLatency(figures.mean_time_ms)}</td>
              <td className={`${CELL} text-ink-2`}>{formatLatency(figures.p50_time_ms)}</td>
              <td className={`${CELL} text-ink-2`}>{formatLatency(figures.p95_time_ms)}</td>
              <td className={`${CELL} text-ink-2`}>{formatLatency(figures.p99_time_ms)}</td>
              <td className={CELL}>{formatLatency(figures.mean_first_token_ms)}</td>
              <td className={CELL}>{estimated(figures, formatRate(figures.mean_tokens_per_second))}</td>
              {throughput && <td className={CELL}>{estimated(figures, formatRate(figures.system_tokens_per_second))}</td>}
              {throughput && <td className={CELL}>{formatRequests(figures.requests_per_second)}</td>}
              <td className={CELL}>{estimated(figures, formatCount(figures.completion_tokens))}</td>
              <td className={CELL}>{formatUsd(figures.cost_usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.some((row) => row.figures.estimated_usage > 0) && <p className="px-4 py-2 text-xs text-ink-3">{ESTIMATED}</p>}
    </div>
  );
}
