import type { RunDetail, TargetDistribution, TargetResult } from "@/api/generated/orchestrator";
import { useGetRunDistributionQuery } from "@/api/results";
import { Histogram } from "@/components/Histogram";
import { Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { formatLatency, formatPercent, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { onScale, overallScale, rangeInWords, type Scale } from "../overall-scale";
import { isOver } from "../run-words";
import { itemsHref, useFilterSetters } from "../results/item-filter";

const POLL_MS = 5000;

/** The distributions of scores and times: a mean does not show whether quality is even or varies widely. */
export function Distributions({ run }: { run: RunDetail }) {
  const { data, error, refetch } = useGetRunDistributionQuery({ runId: run.id }, { pollingInterval: isOver(run.status) ? 0 : POLL_MS, refetchOnMountOrArgChange: true });
  if (!data) return error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : <div className="p-4"><Skeleton className="h-40" /></div>;
  const scale = overallScale(run.evaluators);
  const edges = data.time_edges_ms;
  // All rows share one scale: bars of equal height are equal counts.
  const fullScore = Math.max(0, ...data.targets.flatMap((one) => one.scores));
  const fullTime = Math.max(0, ...data.targets.flatMap((one) => one.times));
  if (fullScore + fullTime === 0) return <p className="px-4 py-8 text-center text-ink-2">Results appear with the first answers.</p>;
  return (
    <>
      <p className="border-b border-line px-4 py-2 text-xs text-ink-2">Bars of equal height count equally many items. Score bars link to their items; the dashed lines are the median and the 95th percentile.</p>
      <ul className="divide-y divide-line">
        {data.targets.map((target) => (
          <li key={target.target_id} className="grid gap-x-8 gap-y-3 px-4 py-3 md:grid-cols-[12rem_minmax(0,1fr)_minmax(0,1fr)]">
            <div className="min-w-0">
              <p className="truncate font-medium" title={target.label}>{harmless(target.label)}</p>
              <Spread result={run.results.find((one) => one.target_id === target.target_id)} />
            </div>
            <Scores target={target} edges={data.score_edges} scale={scale} full={fullScore} />
            <Times target={target} edges={edges} full={fullTime} result={run.results.find((one) => one.target_id === target.target_id)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Spread({ result }: { result: TargetResult | undefined }) {
  if (!result) return null;
  return (
    <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-xs text-ink-2">
      <dt className="text-ink-3">Mean score</dt>
      <dd>{formatPercent(result.mean_score)}</dd>
      <dt className="text-ink-3">Median time</dt>
      <dd>{formatLatency(result.p50_time_ms)}</dd>
      <dt className="text-ink-3">95th percentile</dt>
      <dd>{formatLatency(result.p95_time_ms)}</dd>
      <dt className="text-ink-3">99th percentile</dt>
      <dd>{formatLatency(result.p99_time_ms)}</dd>
    </dl>
  );
}

interface ScoresProps {
  target: TargetDistribution;
  edges: readonly number[];
  scale: Scale;
  full: number;
}

function Scores({ target, edges, scale, full }: ScoresProps) {
  const { search } = useFilterSetters();
  return (
    <Histogram
      label={`Scores of ${harmless(target.label)}`}
      full={full}
      axis={[onScale(scale, 0), "Score", onScale(scale, 1)]}
      bars={target.scores.map((count, index) => {
        // Use the bounds that the server counted with, so that the list has exactly the items of the bar.
        const [min, below] = [edges[index - 1], edges[index]];
        return {
          count,
          title: `${plural(count, "item")} with a score of ${rangeInWords(scale, min, below)}${scale.high === 1 ? "" : `, of ${scale.high}`}`,
          to: itemsHref(search, { target_id: target.target_id, ...(min !== undefined && { overall_min: String(min) }), ...(below !== undefined && { overall_below: String(below) }) }),
        };
      })}
    />
  );
}

interface TimesProps {
  target: TargetDistribution;
  edges: readonly number[];
  full: number;
  result: TargetResult | undefined;
}

function Times({ target, edges, full, result }: TimesProps) {
  const [first, last] = [edges[0], edges.at(-1)];
  if (first === undefined || last === undefined) return <p className="text-xs text-ink-3">No answer was timed.</p>;
  const along = (ms: number) => (last > first ? Math.min(1, Math.max(0, Math.log(ms / first) / Math.log(last / first))) : 0.5);
  const marks = ([["Median", result?.p50_time_ms], ["95th percentile", result?.p95_time_ms]] as const).flatMap(([name, ms]) => (ms == null ? [] : [{ at: along(ms), title: `${name}: ${formatLatency(ms)}` }]));
  return (
    <Histogram
      label={`Times of ${harmless(target.label)}`}
      full={full}
      tone="mute"
      marks={marks}
      axis={[formatLatency(first), "Time, on a logarithmic scale", formatLatency(last)]}
      bars={target.times.map((count, index) => ({ count, title: `${plural(count, "answer")} in ${formatLatency(edges[index])} to ${formatLatency(edges[index + 1])}` }))}
    />
  );
}
