import type { RunDetail } from "@/api/generated/orchestrator";
import { ProblemNote } from "@/components/Problem";
import { useCommand } from "@/lib/commands";
import { plural } from "@/lib/format";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { useRetry } from "./useRetry";

/** Offer in the command palette, on every view of a finished run, what the button of the failures does. */
export function RetryCommand({ run, store }: { run: RunDetail; store: RunStore }) {
  const failed = useValue(store.items.index).counts.FAILED;
  const status = useValue(store.head)?.status ?? run.status;
  const retry = useRetry(run.id, store);
  const isPossible = status === "FINISHED" && failed > 0 && !retry.busy;
  useCommand(isPossible ? { label: "Try all failed items again", detail: plural(failed, "item"), also: "retry answer", icon: "retry", right: "runs:create", run: () => void retry.again() } : null);
  return retry.error === undefined ? null : <ProblemNote error={retry.error} />;
}
