import type { Figures } from "@/api/generated/orchestrator";
import { MISSING } from "@/lib/format";

/** A figure made of tokens, marked where the provider did not report all of them. */
export function estimated({ estimated_usage }: Pick<Figures, "estimated_usage">, figure: string): string {
  return estimated_usage > 0 && figure !== MISSING ? `~${figure}` : figure;
}

export const ESTIMATED = "~ Estimated: the provider reported no token counts for some answers.";
