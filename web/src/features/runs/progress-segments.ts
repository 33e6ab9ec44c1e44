import type { RunCounts, RunPhase } from "@/api/generated/orchestrator";
import type { Segment } from "@/components/ProgressBar";

/** Return the progress of the run's phase: answers first, then verdicts. */
export function phaseProgress(phase: RunPhase, counts: RunCounts): { done: number; verb: string } {
  return phase === "BENCHMARKING" ? { done: counts.answered, verb: "answered" } : { done: counts.judged, verb: "judged" };
}

/** Return the segments of a progress bar: judged, failed, and answered but not judged. */
export function progressSegments(counts: RunCounts): Segment[] {
  const open = Math.max(0, counts.items - counts.judged - counts.failed);
  const answeredOnly = Math.min(open, Math.max(0, counts.answered - counts.judged));
  return [
    { name: "judged", value: counts.judged, tone: "good" },
    { name: "failed", value: counts.failed, tone: "bad" },
    { name: "answered", value: answeredOnly, tone: "info" },
  ];
}
