import type { RunSummary } from "@/api/generated/orchestrator";

/** Return the model that judges a run, else the names of its evaluators. */
export function scoredBy(run: Pick<RunSummary, "judge" | "evaluators">): string {
  return run.judge?.model ?? run.evaluators.filter((one) => !one.member && !one.corrects).map((one) => one.name).join(", ");
}
