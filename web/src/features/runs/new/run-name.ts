/** Suggest the name of a run after its targets and cases, so that each run in a list or comparison has a name of its own. */

import type { RunForm } from "./run-form";

/** The server's limit. */
export const MOST_CHARACTERS = 255;
const MOST_NAMED = 2;

/** The number at the end of a name that another run had. */
export const NUMBER = / \(\d+\)$/;

/** Return the first names, and how many more there are: `small, large and 2 more`. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(", ");
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}

/** Return `small, large on Everyday tasks`, or an empty text before anything is chosen. */
export function suggestedName(form: Pick<RunForm, "targets" | "datasetVersions">, collections: readonly string[]): string {
  const targets = listed(form.targets.map((one) => one.label.trim() || one.model));
  const cases = listed([...collections, ...form.datasetVersions.map((one) => `${one.name} v${one.version_number}`)]);
  return [targets, cases].filter(Boolean).join(" on ");
}

/** Return the name, with the next number if another run has it. */
export function freeName(name: string, taken: readonly string[]): string {
  const numbered = (number: number) => (number === 1 ? name.slice(0, MOST_CHARACTERS) : `${name.slice(0, MOST_CHARACTERS - 6)} (${number})`);
  let number = 1;
  while (taken.includes(numbered(number))) number += 1;
  return name === "" ? "" : numbered(number);
}
