import { useSearchParams } from "react-router";
import type { UsageOut } from "@/api/usage";
import { countTicks, niceTicks } from "@/components/charts/axis";
import { BarRows } from "@/components/charts/BarRows";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { Section } from "@/components/Section";
import { formatCount, formatUsd, plural } from "@/lib/format";
import { writeOne } from "@/lib/url-state";
import { chartDays } from "./usage-view";

/** The days that a tick of the axis names, at most. */
const MOST_TICKS = 5;

/** The cost of each day; the calls, if no call has a known cost. */
export function UsageChart({ usage }: { usage: UsageOut }) {
  const [search] = useSearchParams();
  const days = chartDays(usage.since, usage.until, usage.days);
  const hasCost = usage.totals.cost_usd > 0;
  const only = (day: string) => `?${writeOne(writeOne(search, "since", day), "until", day)}`;
  const bars = days.map(({ day, cost, calls }) => ({ count: hasCost ? (cost ?? 0) : calls, title: `${day}: ${formatUsd(cost)}, ${plural(calls, "call")}`, to: only(day) }));
  const title = hasCost ? "Cost by day" : "Calls by day";
  const most = Math.max(...bars.map((bar) => bar.count));
  const every = Math.ceil(days.length / MOST_TICKS);
  const ticks = days.flatMap(({ day }, index) => (index % every === 0 ? [{ at: (index + 0.5) / days.length, text: day.slice(5) }] : []));
  return (
    <Section title={title}>
      <ChartFrame
        className="p-4"
        name="usage-by-day"
        caption={`${title}, ${usage.since} to ${usage.until} (UTC). A bar opens its day.`}
        rows={() => [["day", "cost_usd", "calls"], ...days.map((one) => [one.day, one.cost, one.calls])]}
      >
        <BarRows axis="Day (UTC)" rows={[{ name: title, bars }]} counts={hasCost ? niceTicks(most) : countTicks(most)} format={hasCost ? formatUsd : formatCount} ticks={ticks} />
      </ChartFrame>
    </Section>
  );
}
