/** The result of a run's gates in words. */

import type { GateVerdict } from "@/api/generated/orchestrator";
import type { ChipLook } from "@/components/Chip";

const LOOKS: Record<GateVerdict, ChipLook> = {
  pending: { label: "Comparing", tone: "neutral", icon: "clock" },
  fine: { label: "Fine", tone: "good", icon: "check" },
  worse: { label: "Worse", tone: "bad", icon: "down" },
  undecided: { label: "Undecided", tone: "warn", icon: "scale" },
  "low coverage": { label: "Low coverage", tone: "warn", icon: "alert" },
  "the judge changed": { label: "The judge changed", tone: "warn", icon: "scale" },
  "not judged": { label: "Not judged", tone: "warn", icon: "alert" },
};

/** Return the look of a verdict; a forgiven one is not green, because nothing is ruled out. */
export function verdictLook({ verdict, passed }: { verdict: GateVerdict; passed?: boolean | null | undefined }): ChipLook {
  const look = LOOKS[verdict];
  return verdict !== "fine" && passed ? { ...look, label: `${look.label}, forgiven`, tone: "neutral" } : look;
}
