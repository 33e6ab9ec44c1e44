import { useMemo } from "react";
import { Link } from "react-router";
import { useCompareColumnsQuery } from "@/api/comparisons";
import type { ColumnComparison, RunDetail, TargetResult } from "@/api/generated/orchestrator";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { columnParam, compareColumnsHref } from "@/lib/compare-link";
import { coveredWords } from "@/lib/covered-words";
import { formatLatency, formatPercent, formatUsd } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { paretoFront, type Point } from "./front";
import { isOver } from "../run-words";
import { useItemsHref } from "../results/item-filter";
import { Scatter } from "./Scatter";

// Costs are per thousand answers: for one answer the figure would be a row of zeros.
const ANSWERS = 1000;
const costOf = (one: TargetResult) => (one.cost_usd !== null && one.priced > 0 ? (ANSWERS * one.cost_usd) / one.priced : null);

function pointsOf(results: readonly TargetResult[], x: (one: TargetResult) => number | null): Point[] {
  return results.flatMap((one) => {
    const value = x(one);
    return value === null || one.mean_score === null ? [] : [{ id: one.target_id, label: harmless(one.label), x: value, y: one.mean_score, interval: one.mean_score_interval }];
  });
}

const nothing = ({ status, results }: RunDetail) =>
  isOver(status) && results.some((one) => one.cached > 0) ? "Answers from the cache took no time and cost nothing in this run." : "Results appear with the first scores.";

/** Quality against time and against cost. */
export function TradeOffs({ run }: { run: RunDetail }) {
  const byTime = useMemo(() => pointsOf(run.results, (one) => one.p50_time_ms), [run.results]);
  const byCost = useMemo(() => pointsOf(run.results, costOf), [run.results]);
  if (byTime.length + byCost.length === 0) return <p className="px-4 py-8 text-center text-ink-2">{nothing(run)}</p>;
  return (
    <div className="grid divide-y divide-line lg:grid-cols-2 lg:divide-x lg:divide-y-0">
      <Plot title="Score by median time of an answer" points={byTime} format={formatLatency} missing="No answer was timed." better="faster" cheap="fast" runId={run.id} />
      <Plot title="Score by cost of 1,000 answers" points={byCost} format={formatUsd} logFrom={1} missing="No answer has a price. Prices per model are set with the provider." better="cheaper" cheap="cheap" runId={run.id} />
    </div>
  );
}

interface PlotProps {
  title: string;
  points: readonly Point[];
  format: (x: number) => string;
  missing: string;
  /** The ratio of the values from which their axis is logarithmic. */
  logFrom?: number;
  better: string;
  cheap: string;
  runId: string;
}

function Plot({ title, points, format, logFrom, missing, better, cheap, runId }: PlotProps) {
  const front = paretoFront(points);
  const beatenBy = (point: Point) => (front.includes(point) ? undefined : front.findLast((one) => one.x <= point.x && one.y >= point.y));
  const numbered = points.toSorted((a, b) => b.y - a.y);
  const itemsHref = useItemsHref();
  return (
    <div className="min-w-0 p-4">
      <h3 className="text-xs font-medium text-ink-2">{title}</h3>
      {points.length === 0 ? (
        <p className="py-8 text-center text-ink-2">{missing}</p>
      ) : (
        <>
          <ChartFrame
            className="mt-1"
            name={`score-by-${cheap === "fast" ? "time" : "cost"}`}
            rows={() => [["target", cheap === "fast" ? "median_time_ms" : "cost_usd_of_1000_answers", "score", "low", "high", "on_the_front"], ...numbered.map((one) => [one.label, one.x, one.y, one.interval?.low ?? null, one.interval?.high ?? null, front.includes(one) ? 1 : 0])]}
            caption="Bars are 95% intervals. The dashed line joins targets that no other beats in both. A mark opens its items."
          >
            <Scatter title={title} points={numbered} front={front} format={format} logFrom={logFrom} itemsOf={(one) => itemsHref({ target_id: one.id })} />
          </ChartFrame>
          <ol className="mt-2 flex flex-col gap-1 text-xs">
            {numbered.map((one, index) => {
              const winner = beatenBy(one);
              return (
                <li key={one.id} className="flex items-baseline gap-2">
                  <span aria-hidden="true" className={`grid size-4.5 shrink-0 place-items-center rounded-full text-2xs font-semibold ${winner ? "bg-mute-soft text-ink-2" : "bg-accent text-on-accent"}`}>{index + 1}</span>
                  <span className="flex min-w-0 flex-1 flex-wrap gap-x-2">
                    <span className="font-medium wrap-anywhere">{one.label}</span>
                    <span className="text-ink-2">{formatPercent(one.y)} · {format(one.x)}</span>
                    {winner && <Beaten point={one} by={winner} words={winner.x < one.x ? better : `as ${cheap}`} runId={runId} />}
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

/** Points are means, which may differ by chance: the comparison of the two says whether one is better. */
function Beaten({ point, by, words, runId }: { point: Point; by: Point; words: string; runId: string }) {
  const columns = [point, by].map((one) => ({ runId, targetId: one.id }));
  const { currentData } = useCompareColumnsQuery({ column: columns.map(columnParam) });
  const compared = currentData?.comparisons[0];
  const [before, linked] = verdictParts(compared);
  return (
    <span className="text-ink-3 wrap-anywhere">
      {by.label} is {words}
      {compared && (
        <>
          {before}
          <Link to={compareColumnsHref(columns)} className="underline hover:text-accent">{linked}</Link>
        </>
      )}
    </span>
  );
}

/** Return the end of the sentence about the faster or cheaper target; the second part links to the comparison. */
function verdictParts(compared: ColumnComparison | undefined): [string, string] {
  const verdict = compared?.score?.verdict;
  if (verdict === "better") return [" and ", verdict];
  if (compared && verdict === "low coverage") return [`, but only ${harmless(coveredWords(compared))} that both have are scored in both, and 90% are needed `, "to compare the two"];
  return [", and its score is ", verdict ?? "not compared yet"];
}
