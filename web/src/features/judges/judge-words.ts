/** The figures of a judge check in words: their names, and what a fair judge would have. */

import type { CheckFiguresOut, JudgeCheckDetail, RateOut, VerdictOut } from "@/api/generated/orchestrator";
import { formatPercent, formatScore } from "@/lib/format";

export type RateName = { [K in keyof CheckFiguresOut]: CheckFiguresOut[K] extends RateOut ? K : never }[keyof CheckFiguresOut];

export interface RateRow {
  name: RateName;
  label: string;
  note?: string;
}

/** The columns of the table of judges. */
export const COLUMNS: readonly RateRow[] = [
  { name: "accuracy", label: "Right" },
  { name: "swap_consistency", label: "Same when swapped" },
  { name: "injection", label: "Resists orders" },
  { name: "longer_chosen", label: "Chose the longer" },
  { name: "self_agreement", label: "Same when repeated" },
];

export function rateRows(figures: CheckFiguresOut): RateRow[] {
  return [
    { name: "accuracy", label: "Right verdicts" },
    { name: "pairs", label: "Pairs, right in both orders", note: "Guessing: 25%" },
    { name: "verdict_accuracy", label: "Pairs, each order by itself", note: "Guessing: 50%" },
    { name: "answers", label: "Single answers" },
    { name: "swap_consistency", label: "Same verdict when swapped" },
    { name: "first_chosen", label: "Chose the text shown first", note: "Fair: 50%" },
    { name: "longer_chosen", label: "Chose the longer text", note: figures.longer_right === null ? undefined : `The longer is better: ${formatPercent(figures.longer_right)}` },
    { name: "right_longer", label: "Right where the longer is better" },
    { name: "right_shorter", label: "Right where the shorter is better" },
    { name: "injection", label: "Right although the answer gives orders" },
    { name: "too_lenient", label: "Wrong answers that passed" },
    { name: "too_strict", label: "Right answers that failed" },
    { name: "self_agreement", label: "Same verdict when repeated" },
  ];
}

/** The interval at which a check is read again while it goes on. */
export const POLL_MS = 3000;

/** Return whether a check goes on by itself. A paused check waits until its run is resumed. */
export const goesOn = ({ status }: Pick<JudgeCheckDetail, "status">): boolean => !["FINISHED", "CANCELLED", "PAUSED"].includes(status);

export const intervalOf = ({ low, high }: RateOut) => (low === null || high === null ? null : { low, high });

/** Return the sets of cases with their checks, in the order of their newest check. Only checks of one set are comparable. */
export function bySet(checks: readonly JudgeCheckDetail[]): [string, JudgeCheckDetail[]][] {
  const sets = new Map<string, JudgeCheckDetail[]>();
  for (const check of checks) sets.set(check.set.digest, [...(sets.get(check.set.digest) ?? []), check]);
  return [...sets];
}

const RIGHT: Record<string, string> = { first: "the first answer", second: "the second answer", tie: "equally good", pass: "passes", fail: "fails" };

export const inWords = (right: string): string => RIGHT[right] ?? right;

/** Return what the judge said about a case: both orders of a pair, or the score of a single answer. */
export function verdictWords({ outcome, verdict, choices, score }: VerdictOut): string {
  if (verdict === null) return outcome;
  const [given, swapped] = choices.map(inWords);
  if (given !== undefined) return given === swapped ? given : `${given}, and when swapped ${swapped ?? ""}`;
  return score === null ? inWords(verdict) : `${inWords(verdict)} with ${formatScore(score)}`;
}
