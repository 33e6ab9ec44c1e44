import type { Interval, RunDetail, TargetResult } from "@/api/generated/orchestrator";
import { zoomedAxis } from "@/components/charts/axis";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { IntervalPlot } from "@/components/charts/IntervalPlot";
import { formatInterval, formatPercent, formatShare } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useItemsHref } from "../results/item-filter";

/** The targets' figures with their intervals, each on one common axis. */
export function Intervals({ run }: { run: RunDetail }) {
  if (run.results.every((one) => one.mean_score === null && one.pass_rate === null)) return <p className="px-4 py-8 text-center text-ink-2">Results appear with the first scores.</p>;
  return (
    <div className="grid divide-y divide-line lg:grid-cols-2 lg:divide-x lg:divide-y-0">
      <Plot title="Mean score" name="mean-scores" run={run} value={(one) => one.mean_score} interval={(one) => one.mean_score_interval} />
      <Plot title="Pass rate" name="pass-rates" run={run} value={(one) => one.pass_rate} interval={(one) => one.pass_rate_interval} />
    </div>
  );
}

interface Props {
  title: string;
  name: string;
  run: RunDetail;
  value: (one: TargetResult) => number | null;
  interval: (one: TargetResult) => Interval | null;
}

function Plot({ title, name, run, value, interval }: Props) {
  const itemsHref = useItemsHref();
  const rows = run.results
    .flatMap((one) => {
      const figure = value(one);
      return figure === null ? [] : [{ key: one.target_id, label: harmless(one.label), value: figure, interval: interval(one), words: `${formatPercent(figure)} ${formatInterval(interval(one))}`, to: itemsHref({ target_id: one.target_id }) }];
    })
    .toSorted((a, b) => b.value - a.value);
  const axis = zoomedAxis(rows);
  return (
    <div className="min-w-0 p-4">
      <h3 className="text-xs font-medium text-ink-2">{title}</h3>
      {rows.length === 0 ? (
        <p className="py-8 text-center text-ink-2">No target has one.</p>
      ) : (
        <ChartFrame
          className="mt-1"
          name={name}
          caption={`95% intervals on an axis from ${formatShare(axis.low)} to ${formatShare(axis.high)}. A mark opens its items.`}
          rows={() => [["target", "value", "low", "high"], ...rows.map((one) => [one.label, one.value, one.interval?.low ?? null, one.interval?.high ?? null])]}
        >
          <IntervalPlot label={title} rows={rows} axis={axis} format={formatShare} />
        </ChartFrame>
      )}
    </div>
  );
}
