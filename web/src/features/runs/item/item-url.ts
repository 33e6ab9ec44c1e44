/** The open item is part of the URL: `?item=…` can be shared. */

import { useCallback } from "react";
import { useSearchParams } from "react-router";
import { opening, useUrlParam, writeOne } from "@/lib/url-state";

const PARAM = "item";

export function useOpenItem(): [string | null, (id: string | null) => void] {
  const [id, set] = useUrlParam(PARAM);
  // An empty parameter names no item.
  return [id || null, set];
}

/** The state that a link to an item takes along, so that closing the item goes back. */
export const OPENS_ITEM = opening(PARAM);

/** Return whether the state of a history entry came with a link to an item. */
export const isOpening = (state: unknown) => (state as ReturnType<typeof opening> | null)?.opened === PARAM;

/** Return a function that builds the link to an item and keeps all filters. */
export function useItemHref(): (id: string) => string {
  const [search] = useSearchParams();
  return useCallback((id: string) => `?${writeOne(search, PARAM, id)}`, [search]);
}
