/** The groups of a review: each compared case is in exactly one. */

import type { CaseGroups, ComparedCase } from "@/api/generated/orchestrator";

/** The groups in the order of the review: losses are read first. */
export const GROUPS = ["worse", "better", "equal", "missing"] as const;
export type Group = (typeof GROUPS)[number];

export const GROUP_TITLES: Record<Group, string> = { worse: "Worse", better: "Better", equal: "Equal", missing: "Not compared" };

/** Return the group of a case for the column at an index. */
export function groupOf(one: ComparedCase, at: number): Group {
  const difference = one.cells[at]?.difference ?? null;
  if (difference === null) return "missing";
  return difference > 0 ? "better" : difference < 0 ? "worse" : "equal";
}

/** Split cases in the order `group` into runs of one group, with the total of the group. */
export function inGroups(cases: readonly ComparedCase[], at: number, counts: CaseGroups): { group: Group; total: number; cases: ComparedCase[] }[] {
  const found: { group: Group; total: number; cases: ComparedCase[] }[] = [];
  for (const one of cases) {
    const group = groupOf(one, at);
    const last = found.at(-1);
    if (last?.group === group) last.cases.push(one);
    else found.push({ group, total: counts[group], cases: [one] });
  }
  return found;
}
