/** The URL state of a paged list: another filter starts at the first page. */

import { useSearchParams } from "react-router";
import { writeOne } from "@/lib/url-state";

export interface PagedView {
  page: number;
  text: (name: string) => string;
  /** An empty text removes the parameter. */
  filter: (name: string, text: string) => void;
  toPage: (page: number) => void;
  clear: (...names: string[]) => void;
}

export function usePagedView(): PagedView {
  const [search, setSearch] = useSearchParams();
  const given = Number(search.get("page"));
  const page = Number.isInteger(given) && given > 1 ? given : 1;
  return {
    page,
    text: (name) => search.get(name) ?? "",
    filter: (name, text) => setSearch((now) => writeOne(writeOne(now, "page", null), name, text === "" ? null : text), { replace: true, preventScrollReset: true }),
    // Paging pushes a history entry, so that Back returns to the previous page.
    toPage: (next) => setSearch((now) => writeOne(now, "page", next <= 1 ? null : String(next))),
    clear: (...names) => setSearch((now) => [...names, "page"].reduce((next, name) => writeOne(next, name, null), now), { replace: true }),
  };
}
