import type { RunSummary } from "@/api/generated/orchestrator";

/** Who scores a run, in a few words: its judge, else its evaluators. */
export function scoredBy(run: Pick<RunSummary, "judge" | "evaluators">): string {
  return run.judge?.model ?? run.evaluators.filter((one) => !one.member).map((one) => one.name).join(", ");
}
