import type { RunDetail, RunDistribution, TargetDistribution, TargetResult } from "@/api/generated/orchestrator";
import { useGetRunDistributionQuery } from "@/api/results";
import { countTicks, logTicksWithin } from "@/components/charts/axis";
import { BarRows, type Tick } from "@/components/charts/BarRows";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { formatCount, formatLatency, formatPercent, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { onScale, overallScale, rangeInWords } from "../overall-scale";
import { isOver } from "../run-words";
import { useItemsHref } from "../results/item-filter";

const POLL_MS = 5000;

/** The distributions of scores and times: a mean does not show whether quality is even or varies widely. */
export function Distributions({ run }: { run: RunDetail }) {
  const { data, error, refetch } = useGetRunDistributionQuery({ runId: run.id }, { pollingInterval: isOver(run.status) ? 0 : POLL_MS, refetchOnMountOrArgChange: true });
  if (!data) return error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : <div className="p-4"><Skeleton className="h-40" /></div>;
  if (data.targets.every((one) => most(one.scores) + most(one.times) === 0)) return <p className="px-4 py-8 text-center text-ink-2">Results appear with the first answers.</p>;
  return (
    <div className="grid divide-y divide-line lg:grid-cols-2 lg:divide-x lg:divide-y-0">
      <div className="min-w-0 p-4"><Scores run={run} data={data} /></div>
      <div className="min-w-0 p-4">{data.time_edges_ms.length > 1 ? <Times run={run} data={data} /> : <p className="text-xs text-ink-2">No answer was timed.</p>}</div>
    </div>
  );
}

const most = (counts: readonly number[]) => Math.max(0, ...counts);
const resultOf = (run: RunDetail, target: TargetDistribution) => run.results.find((one) => one.target_id === target.target_id);

function Scores({ run, data }: { run: RunDetail; data: RunDistribution }) {
  const itemsHref = useItemsHref();
  const scale = overallScale(run.evaluators);
  const edges = data.score_edges;
  const bars = (target: TargetDistribution) =>
    target.scores.map((count, index) => {
      // Use the bounds that the server counted with, so that the list has exactly the items of the bar.
      const [min, below] = [edges[index - 1], edges[index]];
      return {
        count,
        title: `${plural(count, "item")} with a score of ${rangeInWords(scale, min, below)}${scale.high === 1 ? "" : `, of ${scale.high}`}`,
        to: itemsHref({ target_id: target.target_id, ...(min !== undefined && { overall_min: String(min) }), ...(below !== undefined && { overall_below: String(below) }) }),
      };
    });
  // A bar stands for the scores around its bin's value: the outer bins are half as wide, and drawn alike.
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share): Tick => ({ at: (0.5 + share * (data.score_bins.length - 1)) / data.score_bins.length, text: String(onScale(scale, share)) }));
  return (
    <ChartFrame
      name="scores"
      caption="Items by score, at one height per item for all targets. A bar opens its items."
      rows={() => [["target", "score_from", "score_below", "items"], ...data.targets.flatMap((target) => target.scores.map((count, index) => [target.label, edges[index - 1] ?? 0, edges[index] ?? null, count]))]}
    >
      <BarRows
        axis="Score"
        counts={countTicks(most(data.targets.flatMap((one) => one.scores)))}
        format={formatCount}
        ticks={ticks}
        rows={data.targets.map((target) => ({ name: `Scores of ${harmless(target.label)}`, head: { name: harmless(target.label), figures: `mean ${formatPercent(resultOf(run, target)?.mean_score)}` }, bars: bars(target) }))}
      />
    </ChartFrame>
  );
}

/** Return the percentiles of a target in words. */
const percentiles = (result: TargetResult | undefined) => ([["median", result?.p50_time_ms], ["p95", result?.p95_time_ms], ["p99", result?.p99_time_ms]] as const).map(([name, ms]) => `${name} ${formatLatency(ms)}`).join(", ");

/** Format a round time without zeros after the point: `2 s`. */
const roundLatency = (ms: number) => formatLatency(ms).replace(/[.,]0+(?=\D*$)/, "");

function Times({ run, data }: { run: RunDetail; data: RunDistribution }) {
  const itemsHref = useItemsHref();
  const edges = data.time_edges_ms;
  const [first, last] = [edges[0] ?? 1, edges.at(-1) ?? 1];
  const along = (ms: number) => (last > first ? Math.min(1, Math.max(0, Math.log(ms / first) / Math.log(last / first))) : 0.5);
  const marksOf = (result: TargetResult | undefined) => ([["Median", result?.p50_time_ms], ["95th percentile", result?.p95_time_ms]] as const).flatMap(([name, ms]) => (ms == null ? [] : [{ at: along(ms), title: `${name}: ${formatLatency(ms)}` }]));
  const bars = (target: TargetDistribution) =>
    target.times.map((count, index) => {
      // The outer bins are open: the shortest and the longest time lie on their edges.
      const bounds = { ...(index > 0 && { time_min: String(edges[index]) }), ...(index < target.times.length - 1 && { time_below: String(edges[index + 1]) }) };
      return { count, title: `${plural(count, "answer")} in ${formatLatency(edges[index])} to ${formatLatency(edges[index + 1])}`, to: itemsHref({ target_id: target.target_id, cached: "false", ...bounds }) };
    });
  const ticks = last > first ? logTicksWithin({ low: first, high: last }) : [first];
  return (
    <ChartFrame
      name="times"
      caption="Answers by time; the dashed lines are the median and the 95th percentile. A bar opens its items."
      rows={() => [["target", "time_from_ms", "time_below_ms", "answers"], ...data.targets.flatMap((target) => target.times.map((count, index) => [target.label, edges[index] ?? null, edges[index + 1] ?? null, count]))]}
    >
      <BarRows
        axis="Time, on a logarithmic scale"
        tone="mute"
        counts={countTicks(most(data.targets.flatMap((one) => one.times)))}
        format={formatCount}
        ticks={ticks.map((ms) => ({ at: along(ms), text: roundLatency(ms) })).filter((one, index, all) => one.text !== all[index - 1]?.text)}
        rows={data.targets.map((target) => ({ name: `Times of ${harmless(target.label)}`, head: { name: harmless(target.label), figures: percentiles(resultOf(run, target)) }, bars: bars(target), marks: marksOf(resultOf(run, target)) }))}
      />
    </ChartFrame>
  );
}
