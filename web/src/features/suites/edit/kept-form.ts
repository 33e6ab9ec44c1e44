/** Keep what is typed but not saved in the tab, so that a reload loses nothing. */

import { keepDraft, readDraft } from "@/lib/kept-draft";
import type { SuiteForm } from "./suite-form";

function isForm(value: unknown): value is SuiteForm {
  const form = value as Partial<SuiteForm> | null;
  return typeof form?.name === "string" && typeof form.description === "string" && typeof form.aggregation === "string" && Array.isArray(form.tasks) && form.tasks.every((one) => typeof one?.task?.name === "string" && typeof one.task.source === "object" && Array.isArray(one.before));
}

/** Return what was typed on top of this version. */
export const readKept = (suiteId: string, version: number): SuiteForm | null => readDraft("suite", suiteId, version, isForm);

/** Keep the form, or with null forget it. */
export const keep = (suiteId: string, version: number, form: SuiteForm | null): void => keepDraft("suite", suiteId, version, form);
