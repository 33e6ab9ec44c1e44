/** Follow experiments over the live connection. */

import { useEffect, useEffectEvent } from "react";
import * as z from "zod/mini";
import { useConnection } from "@/live/context";
import { parseEvent } from "@/live/event-schemas";
import { throttle } from "@/live/throttle";

const REFETCH_MS = 1500;
/** The page reads everything else over HTTP. */
const EXPERIMENT_EVENT = z.object({ experiment_id: z.string() });

interface Followed {
  experimentId: string;
  /** The runs of rounds that are going on: their progress counts, too. */
  runIds: readonly string[];
}

/** Call `onChange` when an experiment has changed, at most every 1.5 seconds. With `only`, other experiments do not count. */
export function useExperimentEvents(onChange: () => void, only?: Followed): void {
  const connection = useConnection();
  const change = useEffectEvent(onChange);
  const isWanted = useEffectEvent((body: string) => {
    const experimentId = experimentOf(body);
    return experimentId !== null && (only === undefined || only.experimentId === experimentId);
  });
  const isOwnRun = useEffectEvent((body: string) => {
    const event = parseEvent(body);
    return event !== null && (only?.runIds.includes(event.run_id) ?? false);
  });
  const followsRuns = only !== undefined && only.runIds.length > 0;
  useEffect(() => {
    const refresh = throttle(async () => change(), REFETCH_MS);
    const unsubscribe = connection.subscribe({
      destination: "/topic/experiments",
      onBody(body) {
        if (isWanted(body)) refresh.call("soon");
      },
      onSubscribed() {
        // Events during a disconnection are not sent again. The second call covers what changes before the server subscribes.
        refresh.call();
        refresh.call("soon");
      },
    });
    return () => {
      unsubscribe();
      refresh.cancel();
    };
  }, [connection]);
  useEffect(() => {
    if (!followsRuns) return;
    const refresh = throttle(async () => change(), REFETCH_MS);
    const unsubscribe = connection.subscribe({
      destination: "/topic/runs",
      onBody(body) {
        if (isOwnRun(body)) refresh.call("soon");
      },
    });
    return () => {
      unsubscribe();
      refresh.cancel();
    };
  }, [connection, followsRuns]);
}

function experimentOf(body: string): string | null {
  try {
    return EXPERIMENT_EVENT.parse(JSON.parse(body)).experiment_id;
  } catch {
    return null;
  }
}
