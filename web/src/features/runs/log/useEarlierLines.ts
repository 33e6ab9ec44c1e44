import { useState } from "react";
import type { LogEvent } from "@/live/event-schemas";
import type { RunStore } from "@/live/run-store";

/** A search without a match reads at most this many windows, so that a long log does not fill the browser's memory. */
const MOST_WINDOWS = 10;

/**
 * Load earlier lines on request. A search (`isWanted`) goes on until it finds an earlier line, reaches the beginning, or
 * has read ten windows.
 */
export function useEarlierLines(store: RunStore, onLoadEarlier: () => Promise<boolean>, isWanted: ((line: LogEvent) => boolean) | null) {
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const [rounds, setRounds] = useState(0);
  const readWindows = async () => {
    for (let window = 0; window < MOST_WINDOWS; window += 1) {
      const start = store.logStart.get();
      if (!(await onLoadEarlier()) || isWanted === null || store.logStart.get() === 1) return;
      if (store.log.lines.get().some((line) => line.run_seq < start && isWanted(line))) return;
    }
  };
  const load = async () => {
    setLoading(true);
    setError(undefined);
    await readWindows().catch(setError);
    setLoading(false);
    setRounds((now) => now + 1);
  };
  return { load, loading, error, rounds };
}
