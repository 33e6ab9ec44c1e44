/** The open item is part of the URL: `?item=…` is a link one can send. */

import { useCallback } from "react";
import { useSearchParams } from "react-router";
import { useUrlParam, writeOne } from "@/lib/url-state";

const PARAM = "item";

export function useOpenItem(): [string | null, (id: string | null) => void] {
  return useUrlParam(PARAM);
}

/** Where a link to an item leads, with every other filter kept. */
export function useItemHref(): (id: string) => string {
  const [search] = useSearchParams();
  return useCallback((id: string) => `?${writeOne(search, PARAM, id)}`, [search]);
}
