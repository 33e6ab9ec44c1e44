import { useMemo } from "react";
import type { RunDetail, TargetResult } from "@/api/generated/orchestrator";
import { formatLatency, formatPercent, formatUsd } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { paretoFront, type Point } from "./front";
import { Scatter } from "./Scatter";

const perAnswer = (one: TargetResult) => (one.cost_usd !== null && one.priced > 0 ? one.cost_usd / one.priced : null);

function pointsOf(results: readonly TargetResult[], x: (one: TargetResult) => number | null): Point[] {
  return results.flatMap((one) => {
    const value = x(one);
    return value === null || one.mean_score === null ? [] : [{ id: one.target_id, label: harmless(one.label), x: value, y: one.mean_score, interval: one.mean_score_interval }];
  });
}

/** What more quality costs, in time and in money. */
export function TradeOffs({ run }: { run: RunDetail }) {
  const byTime = useMemo(() => pointsOf(run.results, (one) => one.p50_time_ms), [run.results]);
  const byCost = useMemo(() => pointsOf(run.results, perAnswer), [run.results]);
  if (byTime.length + byCost.length === 0) return <p className="px-4 py-8 text-center text-ink-2">Results appear with the first scores.</p>;
  return (
    <div className="grid divide-y divide-line lg:grid-cols-2 lg:divide-x lg:divide-y-0">
      <Plot title="Score by median time of an answer" points={byTime} format={formatLatency} missing="No answer was timed." better="faster" />
      <Plot title="Score by cost of an answer" points={byCost} format={formatUsd} missing="No answer has a price. Prices per model are set with the provider." better="cheaper" />
    </div>
  );
}

interface PlotProps {
  title: string;
  points: readonly Point[];
  format: (x: number) => string;
  missing: string;
  better: string;
}

function Plot({ title, points, format, missing, better }: PlotProps) {
  const front = paretoFront(points);
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
              const beats = front.includes(one);
              return (
                <li key={one.id} className="flex items-baseline gap-2">
                  <span aria-hidden="true" className={`grid size-4.5 shrink-0 place-items-center self-center rounded-full text-2xs font-semibold ${beats ? "bg-accent text-on-accent" : "bg-mute-soft text-ink-2"}`}>{index + 1}</span>
                  <span className="min-w-0 truncate font-medium" title={one.label}>{one.label}</span>
                  <span className="shrink-0 text-ink-2">{formatPercent(one.y)} · {format(one.x)}</span>
                  {!beats && <span className="ml-auto shrink-0 text-ink-3">another is {better} and as good</span>}
                </li>
              );
            })}
          </ol>
        </>
      )}
    </div>
  );
}
