import type { Figures } from "@/api/generated/orchestrator";
import { MISSING } from "@/lib/format";

/** Mark a token figure as estimated if the provider did not report all counts. */
export function estimated({ estimated_usage }: Pick<Figures, "estimated_usage">, figure: string): string {
  return estimated_usage > 0 && figure !== MISSING ? `~${figure}` : figure;
}

export const ESTIMATED = "~ Estimated: the provider reported no token counts for some answers.";
