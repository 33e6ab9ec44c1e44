/** Answers as they arrive, from the topic `/topic/run/{id}/answer`. */

import { useEffect, useState } from "react";
import { useConnection } from "@/live/context";

export interface Streamed {
  content: string;
  reasoning: string;
}

/** Read a message about an answer; null if it is none. */
export function readStreamed(body: string): (Streamed & { itemId: string }) | null {
  try {
    const { item_id: itemId, content, reasoning = "" } = JSON.parse(body) as Record<string, unknown>;
    return typeof itemId === "string" && typeof content === "string" && typeof reasoning === "string" ? { itemId, content, reasoning } : null;
  } catch {
    return null;
  }
}

/** Return what has arrived of each answer of the run, by item. `onChange` is called when an item or the run changes. */
export function useStreamed(runId: string | null, onChange: () => void): ReadonlyMap<string, Streamed> {
  const connection = useConnection();
  const [answers, setAnswers] = useState<{ runId: string | null; of: ReadonlyMap<string, Streamed> }>({ runId, of: new Map() });
  useEffect(() => {
    if (runId === null) return;
    const topic = (kind: string, onBody: (body: string) => void) => connection.subscribe({ destination: `/topic/run/${runId}/${kind}`, onBody });
    const stops = [
      topic("answer", (body) => {
        const told = readStreamed(body);
        if (told) setAnswers((now) => ({ runId, of: new Map(now.runId === runId ? now.of : []).set(told.itemId, told) }));
      }),
      topic("item", onChange),
      topic("status", onChange),
    ];
    return () => stops.forEach((stop) => stop());
  }, [connection, runId, onChange]);
  return answers.runId === runId ? answers.of : new Map();
}
