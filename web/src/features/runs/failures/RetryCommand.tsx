import { useEffect, useEffectEvent } from "react";
import type { RunDetail } from "@/api/generated/orchestrator";
import { ProblemNote } from "@/components/Problem";
import { useCommand } from "@/lib/commands";
import { plural } from "@/lib/format";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { useRetry } from "./useRetry";

/** Offer in the command palette, on every view of a finished run, what the button of the failures does. */
export function RetryCommand({ run, store }: { run: RunDetail; store: RunStore }) {
  // Counted once all rows are read.
  const isCounted = useValue(store.loading) === null;
  const failed = useValue(store.items.index).counts.FAILED;
  const status = useValue(store.head)?.status ?? run.status;
  const retry = useRetry(run.id, store);
  const isPossible = status === "FINISHED" && failed > 0 && !retry.busy;
  useCommand(isPossible ? { label: "Try all failed items again", ...(isCounted && { detail: plural(failed, "item") }), also: "retry answer", icon: "retry", right: "runs:create", run: () => void retry.again() } : null);
  // The run continued in another way, so that the refusal is of the past.
  const forget = useEffectEvent(() => retry.error !== undefined && retry.reset());
  useEffect(() => {
    if (status !== "FINISHED") forget();
  }, [status]);
  return retry.error === undefined ? null : <ProblemNote error={retry.error} />;
}
