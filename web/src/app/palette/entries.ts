/** The entries of the command palette, and how a typed text chooses among them. */

import type { IconName } from "@/components/Icon";
import { savedViews } from "@/lib/saved-views";

export interface Entry {
  /** Unique among all entries. */
  id: string;
  label: string;
  /** The kind of the entry, or its key. */
  detail?: string;
  /** Words by which the entry is found, too. */
  also?: string;
  icon: IconName;
  /** Either an address or an action. */
  to?: string;
  run?: () => void;
}

export interface Group {
  title: string;
  entries: readonly Entry[];
}

/** Return whether every word of the text begins a word of the label, its detail or its other words. */
export function matches(entry: Pick<Entry, "label" | "detail" | "also">, text: string): boolean {
  const words = `${entry.label} ${entry.detail ?? ""} ${entry.also ?? ""}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return text.toLowerCase().split(/\s+/).filter(Boolean).every((typed) => words.some((word) => word.startsWith(typed)));
}

/** Return the id of the run that is open, if the address is that of a run. */
const openRun = (pathname: string) => /^\/runs\/([0-9a-f]{8}-[0-9a-f-]{27})(?:\/|$)/.exec(pathname)?.[1];

/** Return the saved views of the runs and, if a run is open, those of its items. */
export function viewEntries(pathname: string): Entry[] {
  const run = openRun(pathname);
  const views = (table: string, path: string, detail: string) => savedViews(table).map(({ name, search }): Entry => ({ id: `view ${table} ${name}`, label: name, detail, icon: "link", to: `${path}?${search}` }));
  return [...views("runs", "/runs", "view of the runs"), ...(run === undefined ? [] : views("items", `/runs/${run}/items`, "view of the items"))];
}

/** Return the actions on the run that is open, if the address is that of a run. */
export function runActions(pathname: string, mayCreate: boolean): Entry[] {
  const id = openRun(pathname);
  if (id === undefined) return [];
  const download = (format: string) => () => globalThis.location.assign(`/api/runs/${id}/export?format=${format}`);
  return [
    ...(mayCreate ? [{ id: "clone run", label: "Clone this run", icon: "copy" as const, to: `/runs/new?clone=${id}` }] : []),
    { id: "compare run", label: "Compare this run", icon: "scale", to: `/compare?run=${id}` },
    { id: "export html", label: "Export this run: report in HTML", icon: "download", run: download("report-html") },
    { id: "export csv", label: "Export this run: CSV", icon: "download", run: download("csv") },
  ];
}

/** Return the groups with the entries that match; those that a server has chosen stay as they are. */
export function filtered(groups: readonly (Group & { found?: boolean })[], text: string): Group[] {
  const chosen = groups.map(({ title, entries, found }) => ({ title, entries: found ? entries : entries.filter((one) => matches(one, text)) }));
  const seen = new Set<string>();
  const once = chosen.map(({ title, entries }) => ({ title, entries: entries.filter(({ id }) => !seen.has(id) && seen.add(id)) }));
  return once.filter(({ entries }) => entries.length > 0);
}
