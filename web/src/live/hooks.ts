import { useCallback, useSyncExternalStore } from "react";
import type { KeyedStore, ValueStore } from "./observable";

export function useValue<T>(store: ValueStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Read one entry; the component renders again only when that entry changes. */
export function useEntry<T>(store: KeyedStore<T>, key: string): T | undefined {
  // Keep the function stable per entry: a new one would resubscribe at every render.
  const subscribe = useCallback((listener: () => void) => store.subscribe(key, listener), [store, key]);
  return useSyncExternalStore(subscribe, () => store.get(key));
}
