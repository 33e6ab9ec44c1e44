/** The scale of a run's overall scores, shared by all of its screens. */

import type { EvaluatorOut } from "@/api/generated/orchestrator";

export interface Scale {
  low: number;
  high: number;
}

const NORMALISED: Scale = { low: 0, high: 1 };

/** Return the scale of the only evaluator with a weight, else 0…1 for a weighted mean. */
export function overallScale(evaluators: readonly Pick<EvaluatorOut, "primary" | "member" | "weight" | "scale_min" | "scale_max">[]): Scale {
  const weighted = evaluators.filter((one) => one.primary && !one.member && one.weight > 0);
  const [only] = weighted;
  return weighted.length === 1 && only ? { low: only.scale_min, high: only.scale_max } : NORMALISED;
}

/** Convert a normalised score to the scale, rounded. */
export const onScale = ({ low, high }: Scale, normalised: number): number => Number((low + normalised * (high - low)).toPrecision(9));

/** Format a range between two bounds on 0…1, either of which may be open: `1.5 to 2.5`. */
export function rangeInWords(scale: Scale, min: number | undefined, below: number | undefined): string {
  return `${onScale(scale, min ?? 0)} to ${onScale(scale, below ?? 1)}`;
}
