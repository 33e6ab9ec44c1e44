/** Keep what is typed but not saved in the tab, so that a reload loses nothing. */

import { session } from "@/lib/rights";
import type { SuiteForm } from "./suite-form";

interface Kept {
  /** The stored version that was changed. */
  version: number;
  form: SuiteForm;
}

/** Name the entry after the person, so that the next person in the same tab does not find it. */
function nameOf(suiteId: string): string {
  const known = session.get();
  return `llmbench.suite.${known?.organisation?.id ?? ""}.${known?.person?.id ?? ""}.${suiteId}`;
}

function isForm(value: unknown): value is SuiteForm {
  const form = value as Partial<SuiteForm> | null;
  return typeof form?.name === "string" && typeof form.description === "string" && typeof form.aggregation === "string" && Array.isArray(form.tasks) && form.tasks.every((one) => typeof one?.task?.name === "string" && typeof one.task.source === "object" && Array.isArray(one.before));
}

/** Return what was typed on top of this version. */
export function readKept(suiteId: string, version: number): SuiteForm | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(suiteId)) ?? "null") as Kept | null;
    return kept?.version === version && isForm(kept.form) ? kept.form : null;
  } catch {
    return null;
  }
}

/** Keep the form, or with null forget it. */
export function keep(suiteId: string, version: number, form: SuiteForm | null): void {
  try {
    if (form === null) sessionStorage.removeItem(nameOf(suiteId));
    else sessionStorage.setItem(nameOf(suiteId), JSON.stringify({ version, form } satisfies Kept));
  } catch {
    // Without storage, or with a full one, only saved changes survive a reload.
  }
}
