import type { ColumnComparison } from "@/api/generated/orchestrator";
import { formatCount, plural } from "@/lib/format";

/**
 * Return how many of the cases that both have are scored in both: `25 of the 28 cases`. If the coverage is that of one task, or of one of several pairs, return its percentage.
 * That is rounded down: 89.6% is too little, so it must not read as 90.
 */
export function coveredWords({ coverage, least_covered: task, cases_in_both: cases, pairs = 1 }: Pick<ColumnComparison, "coverage" | "least_covered" | "cases_in_both"> & { pairs?: number }): string {
  const percents = `${formatCount(Math.floor(coverage * 100 + 1e-9))}%`;
  if (task !== null) return `${percents} of the cases of the task “${task}”`;
  if (pairs > 1) return `${percents} of the cases of one pair of targets`;
  return `${formatCount(Math.round(coverage * cases))} of the ${plural(cases, "case")}`;
}
