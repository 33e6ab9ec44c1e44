/** Compute a word-level diff of two texts. The module is loaded only when a diff is shown. */

import { diffWordsWithSpace } from "diff";

export interface DiffPart {
  text: string;
  kind: "same" | "added" | "removed";
}

/** More edits would block the page: Read has the answers of many models. */
const MOST_EDITS = 1000;
const TIMEOUT_MS = 100;

/** Return the diff. Very different texts share only their first and last words in it, so that it is done in bounded time. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS, timeout: TIMEOUT_MS });
  return changes?.map(({ value, added, removed }): DiffPart => ({ text: value, kind: added ? "added" : removed ? "removed" : "same" })) ?? endsDiff(before, after);
}

/** Return the common beginning and end, and everything between them as changed: in linear time. */
function endsDiff(before: string, after: string): DiffPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const parts: DiffPart[] = [
    { text: now.slice(0, head).join(""), kind: "same" },
    { text: old.slice(head, old.length - tail).join(""), kind: "removed" },
    { text: now.slice(head, now.length - tail).join(""), kind: "added" },
    { text: now.slice(now.length - tail).join(""), kind: "same" },
  ];
  return parts.filter(({ text }) => text !== "");
}

const wordsOf = (text: string) => text.split(/(\s+)/);
