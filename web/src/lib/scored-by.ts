import type { RunSummary } from "@/api/generated/orchestrator";

const FEW = 4;

/** Join the first names, and say how many more there are: a suite may have a hundred sources and evaluators. */
export const firstOf = (names: readonly string[]) => (names.length > FEW + 1 ? `${names.slice(0, FEW).join(", ")} and ${names.length - FEW} more` : names.join(", "));

/** Return the model that judges a run, else the names of its first evaluators. */
export function scoredBy(run: Pick<RunSummary, "judge" | "evaluators">): string {
  return run.judge?.model ?? firstOf(run.evaluators.filter((one) => !one.member && !one.corrects).map((one) => one.name));
}
