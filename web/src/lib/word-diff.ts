/** Compute a word-level diff of two texts. The module is loaded only when a diff is shown. */

import { diffWordsWithSpace } from "diff";

export interface DiffPart {
  text: string;
  kind: "same" | "added" | "removed";
}

/** Longer texts would block the page, and nearly everything would be marked. */
const MOST_EDITS = 1500;
const TIMEOUT_MS = 250;
const LEAST_IN_COMMON = 0.2;

/** Return the diff; null if the texts have too little in common. */
export function wordDiff(before: string, after: string): DiffPart[] | null {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS, timeout: TIMEOUT_MS });
  if (changes === undefined) return null;
  const parts = changes.map(({ value, added, removed }): DiffPart => ({ text: value, kind: added ? "added" : removed ? "removed" : "same" }));
  const common = parts.reduce((sum, one) => sum + (one.kind === "same" ? letters(one.text) : 0), 0);
  const most = Math.max(letters(before), letters(after));
  return most > 0 && common / most < LEAST_IN_COMMON ? null : parts;
}

/** White space does not count, because all texts share it. */
function letters(text: string): number {
  return text.replace(/\s+/g, "").length;
}
