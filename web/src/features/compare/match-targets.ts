import type { RunSummary } from "@/api/generated/orchestrator";
import { MOST_COLUMNS, type ColumnRef } from "@/lib/compare-link";

/**
 * Order the targets of several runs as columns: targets with the same label adjacent, in the first run's order, then
 * the labels that some runs lack.
 */
export function matchTargets(runs: readonly Pick<RunSummary, "id" | "targets">[]): ColumnRef[] {
  const labels = [...new Set(runs.flatMap((run) => run.targets.map((one) => one.label)))];
  const inAll = (label: string) => runs.every((run) => run.targets.some((one) => one.label === label));
  return labels
    .toSorted((a, b) => Number(inAll(b)) - Number(inAll(a)))
    .flatMap((label) =>
      runs.flatMap((run) => run.targets.filter((one) => one.label === label).map((one) => ({ runId: run.id, targetId: one.id }))),
    )
    .slice(0, MOST_COLUMNS);
}
