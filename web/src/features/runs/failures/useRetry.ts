/** Continue a finished run with its failures. Each request has an idempotency key. */

import { useRetryFailedMutation, useRetryJudgingMutation } from "@/api/runs";
import type { RetryJudging } from "@/api/generated/orchestrator";
import { toast } from "@/components/Toast";
import { uniqueKey } from "@/lib/unique-key";

/** The server's limit of ids per request. */
export const MOST_IDS = 10_000;

export function useRetry(runId: string) {
  const [failed, retryingFailed] = useRetryFailedMutation();
  const [judging, retryingJudging] = useRetryJudgingMutation();
  return {
    busy: retryingFailed.isLoading || retryingJudging.isLoading,
    error: retryingFailed.error ?? retryingJudging.error,
    /** Retry answers and verdicts; without ids, all that failed. */
    async again(ids?: readonly string[]): Promise<boolean> {
      retryingJudging.reset();
      const answer = await failed({ runId, body: ids ? { item_ids: ids.slice(0, MOST_IDS) } : null, "Idempotency-Key": uniqueKey() });
      if (!answer.error) toast("The run continues with the failed items.");
      return !answer.error;
    },
    async judge(body: RetryJudging): Promise<boolean> {
      retryingFailed.reset();
      const answer = await judging({ runId, body, "Idempotency-Key": uniqueKey() });
      if (!answer.error) toast("The run continues with judging.");
      return !answer.error;
    },
    reset() {
      retryingFailed.reset();
      retryingJudging.reset();
    },
  };
}
