/** Decide when the screen has to ask, because no event reaches the browser. */

import type { ExperimentOut, RoundOut } from "@/api/generated/orchestrator";

const BETWEEN_MS = 2000;
const OUTSIDE_MS = 15_000;
const ENDED = ["FINISHED", "CANCELLED"];

/**
 * Return the pause between two questions, or null if the events of a run suffice. Runs have events; the analysis
 * that follows a run has none, and neither have observations from outside.
 */
export function pollingOf({ status, sources, stopped }: Pick<ExperimentOut, "status" | "sources" | "stopped">, rounds: readonly RoundOut[] | undefined): number | null {
  if (status !== "RUNNING" || stopped) return null;
  if (sources === "none") return OUTSIDE_MS;
  const isRunGoing = rounds?.some((one) => one.ended_at === null && one.run_status !== null && !ENDED.includes(one.run_status));
  return isRunGoing ? null : BETWEEN_MS;
}
