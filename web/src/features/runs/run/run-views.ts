/** The views of a run: one page, whose address below `/runs/:runId` says which part is shown. */

import { isItemSearch } from "../results/item-filter";

export const RUN_VIEWS = ["results", "breakdown", "items", "failures", "log"] as const;
/** `read` belongs to the items: one case with the answers of all targets. */
export type RunView = (typeof RUN_VIEWS)[number] | "read";

export const VIEW_LABELS: Record<(typeof RUN_VIEWS)[number], string> = { results: "Results", breakdown: "Breakdown", items: "Items", failures: "Failures", log: "Log" };

/** Return the address of a view; `search` may begin with a question mark. */
export function runHref(runId: string, view: RunView = "results", search = ""): string {
  const query = search.replace(/^\?/, "");
  return `/runs/${runId}${view === "results" ? "" : `/${view}`}${query === "" ? "" : `?${query}`}`;
}

/** Return the view that the last part of a path names; null for an unknown one. */
export function viewOf(part: string | undefined): RunView | null {
  if (part === undefined) return "results";
  return part === "read" ? part : (RUN_VIEWS.find((one) => one === part && one !== "results") ?? null);
}

/**
 * Return the view that an address of an earlier version means, which had everything on one page; null if it names the
 * results.
 */
export function viewOfOldSearch(search: URLSearchParams): RunView | null {
  if (search.has("item") || isItemSearch(search)) return "items";
  if (search.has("by")) return "breakdown";
  return search.has("log") ? "log" : null;
}
