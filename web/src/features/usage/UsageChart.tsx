import type { UsageOut } from "@/api/usage";
import { Histogram } from "@/components/Histogram";
import { Section } from "@/components/Section";
import { formatUsd, plural } from "@/lib/format";
import { chartDays } from "./usage-view";

/** The cost of each day; the calls, if no call has a known cost. */
export function UsageChart({ usage }: { usage: UsageOut }) {
  const days = chartDays(usage.since, usage.until, usage.days);
  const hasCost = usage.totals.cost_usd > 0;
  const bars = days.map(({ day, cost, calls }) => ({ count: hasCost ? (cost ?? 0) : calls, title: `${day}: ${formatUsd(cost)}, ${plural(calls, "call")}` }));
  const title = hasCost ? "Cost by day" : "Calls by day";
  return (
    <Section title={title}>
      <div className="p-4">
        <Histogram label={title} bars={bars} full={Math.max(...bars.map((bar) => bar.count))} axis={[usage.since, usage.until]} />
      </div>
    </Section>
  );
}
