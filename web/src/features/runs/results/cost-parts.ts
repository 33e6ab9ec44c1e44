/** Say what a run paid for. */

import type { CostParts } from "@/api/generated/orchestrator";
import { formatUsd } from "@/lib/format";

/** Explains the other calls, which are in no figure of an answer or a score. */
export const OTHER_CALLS = "Other calls warmed up a model or failed, or their answer or score was replaced.";

/** Return the parts of a cost that are not zero, in words; null where there is nothing to divide. */
export function costPartsInWords(parts: CostParts | null): string | null {
  if (parts === null) return null;
  const named = [["answers", parts.answers_usd], ["judging", parts.judging_usd], ["other calls", parts.other_usd]] as const;
  const paid = named.filter(([, usd]) => usd > 0);
  const [first, second] = paid;
  if (first === undefined) return null;
  if (second === undefined) return `${first[0]} only`;
  // A part does not break between its name and its amount.
  return paid.map(([name, usd]) => `${name} ${formatUsd(usd)}`.replaceAll(" ", "\u00A0")).join(" · ");
}
