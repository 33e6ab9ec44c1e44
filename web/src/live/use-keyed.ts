import { useMemo } from "react";
import { KeyedStore } from "./observable";

/** A list in the form that the grid reads. */
export function useKeyed<T>(list: readonly T[], keyOf: (one: T) => string): { ids: readonly string[]; rows: KeyedStore<T> } {
  return useMemo(() => {
    const rows = new KeyedStore<T>();
    for (const one of list) rows.set(keyOf(one), one);
    return { ids: list.map(keyOf), rows };
  }, [list, keyOf]);
}
