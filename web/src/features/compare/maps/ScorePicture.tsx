import { Link, useSearchParams } from "react-router";
import { usePairScoresQuery } from "@/api/comparisons";
import type { Comparison, ScorePair } from "@/api/generated/orchestrator";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { columnParam } from "@/lib/compare-link";
import { formatCount, formatPercent, plural } from "@/lib/format";
import { useWidth } from "@/lib/use-width";
import { writeOne } from "@/lib/url-state";
import { columnName } from "../column-name";
import type { CompareView } from "../compare-view";
import { radius } from "./bins";

interface Props {
  comparison: Comparison;
  view: CompareView;
  /** The index of the column against the baseline. */
  at: number;
}

/** Each case's score in the baseline against its score in another column. */
export default function ScorePicture({ comparison, view, at }: Props) {
  const { currentData: data, error, isError, refetch } = usePairScoresQuery({ column: view.columns.map(columnParam), baseline: view.baseline, of: at });
  if (isError) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="p-4"><Skeleton className="h-80" /></div>;
  if (data.pairs.length === 0) return <Message icon="ring" title="No case is scored in both"><p>The picture appears when both columns have scores by the same measure.</p></Message>;
  const [here, base] = [comparison.columns[at], comparison.columns[comparison.baseline]];
  const names = { base: columnName(base, comparison.baseline), here: columnName(here, at) };
  const better = data.pairs.reduce((sum, one) => sum + (one.here > one.baseline ? one.cases : 0), 0);
  return (
    <ChartFrame
      className="px-4 py-3"
      name={`scores-${at}`}
      rows={() => [["baseline", "score", "cases"], ...data.pairs.map((one) => [one.baseline, one.here, one.cases])]}
      caption={`${plural(data.cases, "case")} scored in both; ${formatCount(better)} in marks above the line scored higher in ${names.here}. A larger mark is more cases with about the same two scores; it opens them.`}
    >
      <Picture pairs={data.pairs} names={names} />
    </ChartFrame>
  );
}

const BOX = { left: 52, right: 16, top: 14, bottom: 44 };
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];

function Picture({ pairs, names }: { pairs: readonly ScorePair[]; names: { base: string; here: string } }) {
  const [box, width] = useWidth();
  const [search] = useSearchParams();
  const side = Math.min(width - BOX.left - BOX.right, 460);
  const height = side + BOX.top + BOX.bottom;
  const x = (score: number) => BOX.left + score * side;
  const y = (score: number) => BOX.top + (1 - score) * side;
  // The largest mark stands for at least 10 cases: a mark of one case would otherwise look like many.
  const most = Math.max(10, ...pairs.map((one) => one.cases));
  const to = ({ bin }: ScorePair) => `?${writeOne(writeOne(writeOne(search, "look", null), "show", null), "bin", `${bin.baseline}:${bin.here}`)}`;
  return (
    <svg ref={box} viewBox={`0 0 ${width} ${height}`} height={height} role="group" aria-label={`Scores of ${names.here} against ${names.base}`} className="block w-full max-w-[33rem]">
      {TICKS.map((tick) => (
        <g key={tick} aria-hidden="true">
          <line x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} className="stroke-line" />
          <line x1={x(tick)} x2={x(tick)} y1={y(0)} y2={y(1)} className="stroke-line" />
          <text x={BOX.left - 8} y={y(tick) + 4} textAnchor="end" className="fill-ink-3 text-2xs">{Math.round(tick * 100)}%</text>
          <text x={x(tick)} y={y(0) + 16} textAnchor="middle" className="fill-ink-3 text-2xs">{Math.round(tick * 100)}%</text>
        </g>
      ))}
      <line aria-hidden="true" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} className="stroke-line-strong" strokeWidth="1.5" strokeDasharray="5 4" />
      <text aria-hidden="true" x={x(0.5)} y={height - 8} textAnchor="middle" className="fill-ink-2 text-2xs">{names.base}</text>
      <text aria-hidden="true" transform={`translate(12 ${y(0.5)}) rotate(-90)`} textAnchor="middle" className="fill-ink-2 text-2xs">{names.here}</text>
      {/* Large marks lie below small ones. */}
      {pairs.toSorted((a, b) => b.cases - a.cases).map((one) => {
        const words = `${plural(one.cases, "case")}: ${formatPercent(one.baseline)} → ${formatPercent(one.here)}`;
        const tone = one.here > one.baseline ? "fill-good-fill" : one.here < one.baseline ? "fill-bad-fill" : "fill-line-strong";
        return (
          <Link key={`${one.bin.baseline}:${one.bin.here}`} to={to(one)} preventScrollReset aria-label={words}>
            <title>{words}</title>
            <circle cx={x(one.baseline)} cy={y(one.here)} r={radius(one.cases, most)} className={`${tone} stroke-surface hover:stroke-ink`} fillOpacity="0.85" strokeWidth="1.5" />
          </Link>
        );
      })}
    </svg>
  );
}
