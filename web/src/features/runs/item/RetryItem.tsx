import type { ItemRow, RunDetail } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { ProblemNote } from "@/components/Problem";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { useRetry } from "../failures/useRetry";

/** Retry one failed item of a finished run. */
export function RetryItem({ run, store, item }: { run: RunDetail; store: RunStore; item: ItemRow }) {
  const status = useValue(store.head)?.status ?? run.status;
  const retry = useRetry(run.id, store);
  if (item.status !== "FAILED" || status !== "FINISHED") return null;
  return (
    <div className="flex flex-col gap-2">
      <Button icon="retry" right="runs:create" className="self-start" disabled={retry.busy} onClick={() => void retry.again([item.id])}>
        Try this item again
      </Button>
      {retry.error !== undefined && <ProblemNote error={retry.error} />}
    </div>
  );
}
