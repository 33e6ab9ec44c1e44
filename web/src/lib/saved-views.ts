/** Named states of a table's URL, kept in this browser. A view is shared by its address. */

const KEY = "llmbench.views";
const MOST = 30;

export interface SavedView {
  name: string;
  /** The query string, without the question mark. */
  search: string;
}

type Stored = Record<string, SavedView[]>;

const isView = (value: unknown): value is SavedView => {
  const { name, search } = (value ?? {}) as Partial<Record<keyof SavedView, unknown>>;
  return typeof name === "string" && name !== "" && typeof search === "string";
};

function read(): Stored {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).map(([table, views]) => [table, Array.isArray(views) ? views.filter(isView) : []]));
  } catch {
    return {};
  }
}

export const savedViews = (table: string): SavedView[] => read()[table] ?? [];

function write(table: string, views: readonly SavedView[]): SavedView[] {
  const kept = views.slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [table]: kept }));
  } catch {
    // Without storage a view lives in its address only.
  }
  return kept;
}

/** Save a view; one with the same name is replaced. Return all views by name. */
export function saveView(table: string, view: SavedView): SavedView[] {
  const others = savedViews(table).filter(({ name }) => name !== view.name);
  return write(table, [...others, view].toSorted((one, other) => one.name.localeCompare(other.name)));
}

export const deleteView = (table: string, name: string): SavedView[] => write(table, savedViews(table).filter((one) => one.name !== name));
