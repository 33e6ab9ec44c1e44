/** Mappings of columns that were used, kept in this browser for the organisation and found again by the header. */

import { session } from "@/lib/rights";
import type { ColumnMapping } from "./fields";

const MOST = 30;
const MOST_CHARACTERS = 20_000;

interface Kept {
  header: string;
  mapping: [string, string][];
}

const key = () => `llmbench.mappings.${session.get()?.organisation?.id ?? ""}`;
/** The order of the columns does not count. */
const headerOf = (columns: readonly string[]) => JSON.stringify(columns.toSorted());

function isKept(value: unknown): value is Kept {
  const { header, mapping } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>;
  return typeof header === "string" && Array.isArray(mapping) && mapping.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((one) => typeof one === "string"));
}

function read(): Kept[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key()) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isKept) : [];
  } catch {
    return [];
  }
}

function write(kept: readonly Kept[]): void {
  try {
    localStorage.setItem(key(), JSON.stringify(kept.slice(0, MOST)));
  } catch {
    // Without storage the columns are mapped again.
  }
}

/** Return the mapping that was last used for a file with these columns. */
export function rememberedMapping(columns: readonly string[]): ColumnMapping | null {
  const header = headerOf(columns);
  const found = read().find((one) => one.header === header);
  return found ? new Map(found.mapping.filter(([column]) => columns.includes(column))) : null;
}

/** Remember the mapping; an empty one forgets what was remembered. */
export function rememberMapping(columns: readonly string[], mapping: ColumnMapping): void {
  const header = headerOf(columns);
  const others = read().filter((one) => one.header !== header);
  const isLarge = header.length > MOST_CHARACTERS;
  write(mapping.size === 0 || isLarge ? others : [{ header, mapping: [...mapping] }, ...others]);
}
