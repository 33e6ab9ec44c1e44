import { useSyncExternalStore } from "react";
import type { KeyedStore, ValueStore } from "./observable";

export function useValue<T>(store: ValueStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** One entry: its reader renders again only when that entry changes. */
export function useEntry<T>(store: KeyedStore<T>, key: string): T | undefined {
  return useSyncExternalStore(
    (listener) => store.subscribe(key, listener),
    () => store.get(key),
  );
}
