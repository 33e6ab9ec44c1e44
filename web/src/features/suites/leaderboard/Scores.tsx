import type { LeaderboardList } from "@/api/generated/orchestrator";
import { ShareIntervals } from "@/components/charts/ShareIntervals";

/** The scores of a list with their intervals, on one common axis. */
export function Scores({ list, number }: { list: LeaderboardList; number: number }) {
  return (
    <ShareIntervals
      className="border-b border-line px-4 py-3"
      label={`Scores of list ${number}`}
      name={`leaderboard-${number}`}
      about="Scores with 95% intervals,"
      head={["target", "score", "low", "high", "run_id"]}
      shares={list.entries.map((one) => ({ key: one.target_id, label: one.label, value: one.score, interval: one.interval, to: `/runs/${one.run_id}/items?${new URLSearchParams({ target_id: one.target_id })}`, more: [one.run_id] }))}
      none={null}
    />
  );
}
