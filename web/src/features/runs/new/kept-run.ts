/** Keep what is chosen for a new run but not started in the tab, so that a reload or a detour loses nothing. */

import { keepDraft, readDraft } from "@/lib/kept-draft";
import type { RunForm } from "./run-form";

/** Raise it when the form changes: older drafts are then dropped. */
const VERSION = 2;

function isForm(value: unknown): value is RunForm {
  const form = value as Partial<RunForm> | null;
  return (form?.name === null || typeof form?.name === "string") && [form.targets, form.collectionIds, form.evaluators, form.datasetVersions, form.tags].every(Array.isArray) && [form.judge, form.sampling, form.limits, form.sample].every((one) => typeof one === "object" && one !== null);
}

/** Return the draft of the form that `from` began: the query of the address. */
export const readKept = (from: string): RunForm | null => readDraft("new-run", from, VERSION, isForm);

/** Keep the form, or with null forget it. */
export const keep = (from: string, form: RunForm | null): void => keepDraft("new-run", from, VERSION, form);
