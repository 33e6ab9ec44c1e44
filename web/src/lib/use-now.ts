import { useSyncExternalStore } from "react";

const SECOND_MS = 1000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const one of listeners) one();
  }, SECOND_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const thisMinute = () => Math.floor(Date.now() / 60_000) * 60_000;

/** Return the current time, updated once a minute. */
export const useMinute = (): number => useSyncExternalStore(subscribe, thisMinute);

const never = () => () => undefined;
const thisSecond = () => Math.floor(Date.now() / SECOND_MS) * SECOND_MS;

/** Return the current time, updated once a second while `ticking`; all clocks of a page update together. */
export function useNow(ticking: boolean): number {
  return useSyncExternalStore(ticking ? subscribe : never, thisSecond);
}
