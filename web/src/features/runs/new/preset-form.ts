import type { PresetOut } from "@/api/generated/config-api";
import { NO_LIMITS, type RunForm } from "./run-form";
import { USUAL_HISTORY } from "./usual-limits";

/** Return what a preset says of a run: its settings, and that its baselines compare the run. */
export function withPreset({ id, name, run }: PresetOut): Partial<RunForm> {
  return {
    limits: { ...NO_LIMITS, concurrency: run.concurrency, timeoutS: run.timeout_s, maxAttempts: run.max_attempts },
    maxHistory: run.max_conversation_history === USUAL_HISTORY ? null : run.max_conversation_history,
    parallelGroups: run.parallel_groups === 1 ? null : run.parallel_groups,
    subject: { kind: "preset", id, name, label: null, compared: true },
  };
}
