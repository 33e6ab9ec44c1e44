import type { RunCounts, RunPhase } from "@/api/generated/orchestrator";
import type { Segment } from "@/components/ProgressBar";

/** Return the items that are over: judged, failed or skipped. */
export const overCount = ({ judged, failed, skipped = 0 }: RunCounts) => judged + failed + skipped;

/** Return the items that are asked. Those that a gate skipped are left out. */
export const askedCount = ({ items, skipped = 0 }: RunCounts) => items - skipped;

/** Return the progress of the run's phase: answers first, then verdicts. */
export function phaseProgress(phase: RunPhase, counts: RunCounts): { done: number; verb: string } {
  return phase === "BENCHMARKING" ? { done: counts.answered, verb: "answered" } : { done: counts.judged, verb: "judged" };
}

/** Return the segments of a progress bar: judged, failed, answered but not judged, and skipped. */
export function progressSegments(counts: RunCounts): Segment[] {
  const open = Math.max(0, counts.items - counts.judged - counts.failed - (counts.skipped ?? 0));
  const answeredOnly = Math.min(open, Math.max(0, counts.answered - counts.judged));
  return [
    { name: "judged", value: counts.judged, tone: "good" },
    { name: "failed", value: counts.failed, tone: "bad" },
    { name: "answered", value: answeredOnly, tone: "info" },
    ...(counts.skipped ? [{ name: "skipped", value: counts.skipped, tone: "neutral" } as const] : []),
  ];
}
