import { Link } from "react-router";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { formatDate, formatInterval, formatLatency, formatPercent, formatRate, formatUsd } from "@/lib/format";
import { useWidth } from "@/lib/use-width";
import { linesOf, METRIC_LABELS, type Metric } from "./trend-lines";
import type { TrendSeries } from "@/api/generated/orchestrator";

const HEIGHT = 180;
const BOX = { left: 56, right: 16, top: 12, bottom: 26 };

export const FORMATS: Record<Metric, (value: number) => string> = { score: formatPercent, pass: formatPercent, cost: formatUsd, time: formatLatency, speed: formatRate };

/** One target's values over time. A table below repeats them. */
export function TrendChart({ series, metric }: { series: TrendSeries; metric: Metric }) {
  const [box, width] = useWidth();
  const lines = linesOf(series, metric);
  const shown = lines.flat();
  if (shown.length === 0) return <p className="px-4 py-6 text-ink-2">No run of this target has a value of “{METRIC_LABELS[metric]}”.</p>;
  const isShare = metric === "score" || metric === "pass";
  const most = isShare ? 1 : Math.max(...shown.map((one) => one.value)) * 1.1 || 1;
  const [from, to] = [Math.min(...shown.map((one) => one.at)), Math.max(...shown.map((one) => one.at))];
  const x = (at: number) => BOX.left + (to === from ? 0.5 : (at - from) / (to - from)) * (width - BOX.left - BOX.right);
  const y = (value: number) => BOX.top + (1 - value / most) * (HEIGHT - BOX.top - BOX.bottom);
  // A break stands between the last run before it and the first one after it.
  const breaks = lines.slice(1).flatMap((line, index) => (line[0] ? ((lines[index]?.at(-1)?.at ?? line[0].at) + line[0].at) / 2 : []));
  const rows = () => [["run_id", "time", metric, "low", "high"], ...shown.map((one) => [one.runId, new Date(one.at).toISOString(), one.value, one.interval?.low ?? null, one.interval?.high ?? null])];
  return (
    <ChartFrame name={`trend-${metric}`} rows={rows} caption="A mark opens its run. Dashed lines are breaks: the runs before and after are not alike.">
      <svg ref={box} viewBox={`0 0 ${width} ${HEIGHT}`} height={HEIGHT} role="group" aria-label={`${METRIC_LABELS[metric]} over time`} className="block w-full">
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line x1={BOX.left} x2={width - BOX.right} y1={y(share * most)} y2={y(share * most)} className="stroke-line" />
            <text x={BOX.left - 8} y={y(share * most) + 4} textAnchor="end" className="fill-ink-3 text-2xs">{FORMATS[metric](share * most)}</text>
          </g>
        ))}
        {[...new Set([from, to])].map((at, index) => (
          <text key={at} x={x(at)} y={HEIGHT - 8} textAnchor={from === to ? "middle" : index === 0 ? "start" : "end"} className="fill-ink-3 text-2xs">{formatDate(new Date(at).toISOString())}</text>
        ))}
        {breaks.map((at) => <line key={at} x1={x(at)} x2={x(at)} y1={BOX.top} y2={HEIGHT - BOX.bottom} className="stroke-warn" strokeWidth="1.5" strokeDasharray="3 3" />)}
        {lines.map((line) => (
          <g key={line[0]?.runId}>
            {line.map((one) => one.interval && <line key={one.runId} x1={x(one.at)} x2={x(one.at)} y1={y(one.interval.low)} y2={y(one.interval.high)} className="stroke-line-strong" strokeWidth="2" />)}
            <polyline points={line.map((one) => `${x(one.at)},${y(one.value)}`).join(" ")} fill="none" className="stroke-accent" strokeWidth="1.5" />
            {line.map((one) => (
              <Link key={one.runId} to={`/runs/${one.runId}`} aria-label={`The run of ${formatDate(new Date(one.at).toISOString())}: ${FORMATS[metric](one.value)}`}>
                <title>{`${FORMATS[metric](one.value)} ${formatInterval(one.interval)}`}</title>
                {/* A larger target for fingers. */}
                <circle cx={x(one.at)} cy={y(one.value)} r="12" fill="transparent" />
                <circle cx={x(one.at)} cy={y(one.value)} r="4" className="fill-accent stroke-surface" />
              </Link>
            ))}
          </g>
        ))}
      </svg>
    </ChartFrame>
  );
}
