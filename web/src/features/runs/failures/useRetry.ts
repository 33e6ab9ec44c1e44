/** Continue a finished run with its failures. Each request has an idempotency key. */

import { useRetryFailedMutation, useRetryJudgingMutation } from "@/api/runs";
import type { RetryJudging } from "@/api/generated/orchestrator";
import { toast } from "@/components/Toast";
import { uniqueKey } from "@/lib/unique-key";
import type { Outcome } from "@/live/retry-watch";
import type { RunStore } from "@/live/run-store";
import { outcomeWords } from "./outcome-words";

/** The server's limit of ids per request. */
export const MOST_IDS = 10_000;

/** A toast states the outcome of the retry if `store` is given. */
export function useRetry(runId: string, store?: RunStore) {
  const [failed, retryingFailed] = useRetryFailedMutation();
  const [judging, retryingJudging] = useRetryJudgingMutation();
  return {
    busy: retryingFailed.isLoading || retryingJudging.isLoading,
    error: retryingFailed.error ?? retryingJudging.error,
    /** Retry answers and verdicts; without ids, all that failed. */
    async again(ids?: readonly string[]): Promise<boolean> {
      retryingJudging.reset();
      const chosen = ids?.slice(0, MOST_IDS);
      const watch = store?.retry.prepare(chosen);
      const answer = await failed({ runId, body: chosen ? { item_ids: chosen } : null, "Idempotency-Key": uniqueKey() });
      if (!answer.error) toast("The run continues with the failed items.");
      if (!answer.error) watch?.(sayOutcome);
      return !answer.error;
    },
    async judge(body: RetryJudging): Promise<boolean> {
      retryingFailed.reset();
      // Another judge of every answer tries nothing again.
      const watch = body.scope === "all" ? undefined : store?.retry.prepare(body.item_ids ?? undefined);
      const answer = await judging({ runId, body, "Idempotency-Key": uniqueKey() });
      if (!answer.error) toast("The run continues with judging.");
      if (!answer.error) watch?.(sayOutcome);
      return !answer.error;
    },
    reset() {
      retryingFailed.reset();
      retryingJudging.reset();
    },
  };
}

function sayOutcome(outcome: Outcome): void {
  const { text, tone } = outcomeWords(outcome);
  toast(text, tone);
}
