import { useMemo } from "react";
import type { RunDetail, TargetResult } from "@/api/generated/orchestrator";
import { formatLatency, formatPercent, formatUsd } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { paretoFront, type Point } from "./front";
import { Scatter } from "./Scatter";

// Of one answer it would be a row of zeros.
const ANSWERS = 1000;
const costOf = (one: TargetResult) => (one.cost_usd !== null && one.priced > 0 ? (ANSWERS * one.cost_usd) / one.priced : null);

function pointsOf(results: readonly TargetResult[], x: (one: TargetResult) => number | null): Point[] {
  return results.flatMap((one) => {
    const value = x(one);
    return value === null || one.mean_score === null ? [] : [{ id: one.target_id, label: harmless(one.label), x: value, y: one.mean_score, interval: one.mean_score_interval }];
  });
}

/** What more quality costs, in time and in money. */
export function TradeOffs({ run }: { run: RunDetail }) {
  const byTime = useMemo(() => pointsOf(run.results, (one) => one.p50_time_ms), [run.results]);
  const byCost = useMemo(() => pointsOf(run.results, costOf), [run.results]);
  if (byTime.length + byCost.length === 0) return <p className="px-4 py-8 text-center text-ink-2">Results appear with the first scores.</p>;
  return (
    <div className="grid divide-y divide-line lg:grid-cols-2 lg:divide-x lg:divide-y-0">
      <Plot title="Score by median time of an answer" points={byTime} format={formatLatency} missing="No answer was timed." better="faster" cheap="fast" />
      <Plot title="Score by cost of 1,000 answers" points={byCost} format={formatUsd} missing="No answer has a price. Prices per model are set with the provider." better="cheaper" cheap="cheap" />
    </div>
  );
}

interface PlotProps {
  title: string;
  points: readonly Point[];
  format: (x: number) => string;
  missing: string;
  better: string;
  cheap: string;
}

function Plot({ title, points, format, missing, better, cheap }: PlotProps) {
  const front = paretoFront(points);
  const beatenBy = (point: Point) => (front.includes(point) ? undefined : front.findLast((one) => one.x <= point.x && one.y >= point.y));
  const numbered = points.toSorted((a, b) => b.y - a.y);
  return (
    <div className="min-w-0 p-4">
      <h3 className="text-xs font-medium text-ink-2">{title}</h3>
      {points.length === 0 ? (
        <p className="py-8 text-center text-ink-2">{missing}</p>
      ) : (
        <>
          <Scatter title={title} points={numbered} front={front} format={format} />
          <ol className="mt-2 flex flex-col gap-1 text-xs">
            {numbered.map((one, index) => {
              const winner = beatenBy(one);
              return (
                <li key={one.id} className="flex items-baseline gap-2">
                  <span aria-hidden="true" className={`grid size-4.5 shrink-0 place-items-center rounded-full text-2xs font-semibold ${winner ? "bg-mute-soft text-ink-2" : "bg-accent text-on-accent"}`}>{index + 1}</span>
                  <span className="flex min-w-0 flex-1 flex-wrap gap-x-2">
                    <span className="font-medium wrap-anywhere">{one.label}</span>
                    <span className="text-ink-2">{formatPercent(one.y)} · {format(one.x)}</span>
                    {winner && <span className="text-ink-3 wrap-anywhere">{winner.label} is {winner.x < one.x ? better : `as ${cheap}`} and {winner.y > one.y ? "better" : "as good"}</span>}
                  </span>
                </li>
              );
            })}
          </ol>
        </>
      )}
    </div>
  );
}
