/** Unsaved labels and notes about an item, kept in this window until they are stored: a reload or an outage loses nothing. */

import type { Labels } from "../words";

export interface Entry {
  labels: Labels;
  /** The reason why the item is flagged; null for no flag. */
  flag: string | null;
  note: string;
}

export const NOTHING: Entry = { labels: {}, flag: null, note: "" };
export const isEmpty = ({ labels, flag, note }: Entry) => Object.keys(labels).length === 0 && flag === null && note === "";

const keyOf = (who: string, itemId: string) => `llmbench.labels ${who} ${itemId}`;

export function keep(who: string, itemId: string, entry: Entry): void {
  try {
    sessionStorage.setItem(keyOf(who, itemId), JSON.stringify(entry));
  } catch {
    // Without storage, the draft on the server is what a reload brings back.
  }
}

export function kept(who: string, itemId: string): Entry | null {
  try {
    const text = sessionStorage.getItem(keyOf(who, itemId));
    return text === null ? null : (JSON.parse(text) as Entry);
  } catch {
    return null;
  }
}

export function forget(who: string, itemId: string): void {
  try {
    sessionStorage.removeItem(keyOf(who, itemId));
  } catch {
    // There is nothing to remove.
  }
}

const CHOSEN_KEY = "llmbench.annotator";

/** Return the annotator who was chosen in this window; only where people do not sign in. */
export function chosenAnnotator(): string | null {
  try {
    return sessionStorage.getItem(CHOSEN_KEY);
  } catch {
    return null;
  }
}

export function chooseAnnotator(id: string | null): void {
  try {
    if (id === null) sessionStorage.removeItem(CHOSEN_KEY);
    else sessionStorage.setItem(CHOSEN_KEY, id);
  } catch {
    // Without storage, a reload asks again.
  }
}
