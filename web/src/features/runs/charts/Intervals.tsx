import type { Interval, RunDetail, TargetResult } from "@/api/generated/orchestrator";
import { ShareIntervals } from "@/components/charts/ShareIntervals";
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
  const shares = run.results
    .map((one) => ({ key: one.target_id, label: one.label, value: value(one), interval: interval(one), to: itemsHref({ target_id: one.target_id }) }))
    .toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1));
  return (
    <div className="min-w-0 p-4">
      <h3 className="text-xs font-medium text-ink-2">{title}</h3>
      <ShareIntervals className="mt-1" label={title} name={name} about="95% intervals" head={["target", "value", "low", "high"]} shares={shares} none={<p className="py-8 text-center text-ink-2">No target has one.</p>} />
    </div>
  );
}
