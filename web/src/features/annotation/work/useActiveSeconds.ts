import { useEffect, useRef } from "react";

/** Measure the time that a person spends with an item: without pauses, and without the time in another tab. Return a
 * function that returns the seconds. */
export function useActiveSeconds(itemId: string | null, isPaused: boolean): () => number {
  const spent = useRef({ itemId, ms: 0, since: null as number | null });
  useEffect(() => {
    if (spent.current.itemId !== itemId) spent.current = { itemId, ms: 0, since: null };
    const stop = () => {
      const { ms, since } = spent.current;
      if (since !== null) spent.current = { ...spent.current, ms: ms + performance.now() - since, since: null };
    };
    const look = () => {
      stop();
      if (!isPaused && itemId !== null && document.visibilityState === "visible") spent.current.since = performance.now();
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      stop();
    };
  }, [itemId, isPaused]);
  return () => {
    const { ms, since } = spent.current;
    return Math.min(86_400, Math.round((ms + (since === null ? 0 : performance.now() - since)) / 1000));
  };
}
