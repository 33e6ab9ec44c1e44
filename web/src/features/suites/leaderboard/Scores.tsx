import type { LeaderboardList } from "@/api/generated/orchestrator";
import { zoomedAxis } from "@/components/charts/axis";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { IntervalPlot } from "@/components/charts/IntervalPlot";
import { formatInterval, formatPercent, formatShare } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

/** The scores of a list with their intervals, on one common axis. */
export function Scores({ list, number }: { list: LeaderboardList; number: number }) {
  const rows = list.entries.flatMap((one) =>
    one.score === null ? [] : [{ key: one.target_id, label: harmless(one.label), value: one.score, interval: one.interval, words: `${formatPercent(one.score)} ${formatInterval(one.interval)}`, to: `/runs/${one.run_id}/items?${new URLSearchParams({ target_id: one.target_id })}` }],
  );
  const axis = zoomedAxis(rows);
  return (
    <ChartFrame
      className="border-b border-line px-4 py-3"
      name={`leaderboard-${number}`}
      caption={`Scores with 95% intervals, on an axis from ${formatShare(axis.low)} to ${formatShare(axis.high)}. A mark opens its items.`}
      rows={() => [["target", "score", "low", "high", "run_id"], ...list.entries.map((one) => [one.label, one.score, one.interval?.low ?? null, one.interval?.high ?? null, one.run_id])]}
    >
      <IntervalPlot label={`Scores of list ${number}`} rows={rows} axis={axis} format={formatShare} />
    </ChartFrame>
  );
}
