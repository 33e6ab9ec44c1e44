/** The scale on which the overall scores of one run are shown: one for all of its screens. */

import type { EvaluatorOut } from "@/api/generated/orchestrator";

export interface Scale {
  low: number;
  high: number;
}

const NORMALISED: Scale = { low: 0, high: 1 };

/** The own scale of the only evaluator with a weight. Several make a weighted mean, which is on 0…1. */
export function overallScale(evaluators: readonly Pick<EvaluatorOut, "primary" | "member" | "weight" | "scale_min" | "scale_max">[]): Scale {
  const weighted = evaluators.filter((one) => one.primary && !one.member && one.weight > 0);
  const [only] = weighted;
  return weighted.length === 1 && only ? { low: only.scale_min, high: only.scale_max } : NORMALISED;
}

/** A normalised score on the scale, without the crumbs of binary fractions. */
export const onScale = ({ low, high }: Scale, normalised: number): number => Number((low + normalised * (high - low)).toPrecision(9));

/** `1.5 to 2.5`: the part of the scale between two bounds on 0…1, of which either may be open. */
export function rangeInWords(scale: Scale, min: number | undefined, below: number | undefined): string {
  return `${onScale(scale, min ?? 0)} to ${onScale(scale, below ?? 1)}`;
}
