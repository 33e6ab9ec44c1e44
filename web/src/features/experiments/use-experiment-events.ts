/** Follow the runs of experiments over the live connection. */

import { useEffect, useEffectEvent } from "react";
import { useConnection } from "@/live/context";
import { parseEvent } from "@/live/event-schemas";
import { throttle } from "@/live/throttle";

const REFETCH_MS = 1500;

/**
 * Call `onChange` when the state of a run changes, at most every 1.5 seconds. With `runIds`, the progress of these runs
 * counts, too.
 */
export function useExperimentEvents(onChange: () => void, runIds: readonly string[] = []): void {
  const connection = useConnection();
  const change = useEffectEvent(onChange);
  const isOwn = useEffectEvent((runId: string) => runIds.includes(runId));
  useEffect(() => {
    const refresh = throttle(async () => change(), REFETCH_MS);
    let subscribedBefore = false;
    const unsubscribe = connection.subscribe({
      destination: "/topic/runs",
      onBody(body) {
        const event = parseEvent(body);
        if (event && (event.type === "llmbench.run.status_changed.v1" || isOwn(event.run_id))) refresh.call("soon");
      },
      onSubscribed() {
        // Events missed during a disconnection are not sent again.
        if (subscribedBefore) refresh.call();
        subscribedBefore = true;
      },
    });
    return () => {
      unsubscribe();
      refresh.cancel();
    };
  }, [connection]);
}
