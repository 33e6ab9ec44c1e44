/** Keep what is typed but not saved in the tab, so that a reload loses nothing. */

import { session } from "./rights";

/** Name the entry after the person, so that the next person in the same tab does not find it. */
function nameOf(kind: string, id: string): string {
  const known = session.get();
  return `llmbench.${kind}.${known?.organisation?.id ?? ""}.${known?.person?.id ?? ""}.${id}`;
}

/** Return what was typed on top of this version, if it still is a form. */
export function readDraft<T>(kind: string, id: string, version: number, isForm: (value: unknown) => value is T): T | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(kind, id)) ?? "null") as { version: number; form: unknown } | null;
    return kept?.version === version && isForm(kept.form) ? kept.form : null;
  } catch {
    return null;
  }
}

/** Keep the form, or with null forget it. */
export function keepDraft(kind: string, id: string, version: number, form: object | null): void {
  try {
    if (form === null) sessionStorage.removeItem(nameOf(kind, id));
    else sessionStorage.setItem(nameOf(kind, id), JSON.stringify({ version, form }));
  } catch {
    // Without storage, or with a full one, only saved changes survive a reload.
  }
}
