/** Compute a word-level diff of two texts. The module is loaded only when a diff is shown. */

import { diffWordsWithSpace } from "diff";

export interface DiffPart {
  text: string;
  kind: "same" | "added" | "removed";
}

/** More edits would block the page: Read has the answers of many models. */
const MOST_EDITS = 1000;
const TIMEOUT_MS = 100;
/**
 * The share of the shorter text's words that has to be common. With less, at least two of three words have no
 * counterpart, and the common ones are mostly articles. The shorter text counts, so that a reference of one word is
 * still marked within a long answer.
 */
const LEAST_COMMON = 1 / 3;
/** Longer common runs are phrases, which a reader recognises even between long changes. */
const MOST_ABSORBED_WORDS = 2;

/**
 * Return the diff. Texts with few common words are one removed and one added part. Texts with too many edits share only
 * their first and last words, so that the diff is done in bounded time.
 */
export function wordDiff(before: string, after: string): DiffPart[] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS, timeout: TIMEOUT_MS });
  if (!changes) return endsDiff(before, after);
  const parts = joinRuns(changes.map(({ value, added, removed }) => ({ text: value, kind: added ? "added" : removed ? "removed" : "same" })));
  const common = parts.reduce((sum, { kind, text }) => sum + (kind === "same" ? countWords(text) : 0), 0);
  if (common >= LEAST_COMMON * Math.min(countWords(before), countWords(after))) return parts;
  return [{ text: before, kind: "removed" }, { text: after, kind: "added" }];
}

/** A common run, and the change that follows it. */
interface Stretch {
  same: string;
  removed: string;
  added: string;
}

/** Absorb each short common run between two changes, so that the changes do not interleave word by word. */
function joinRuns(parts: readonly DiffPart[]): DiffPart[] {
  const stretches: Stretch[] = [];
  for (const next of stretchesOf(parts)) {
    let last = next;
    // A joined change is longer, so that the run before it may be short now.
    for (let previous = stretches.at(-1); previous && isAbsorbed(previous, last); previous = stretches.at(-1)) {
      last = { same: previous.same, removed: previous.removed + last.same + last.removed, added: previous.added + last.same + last.added };
      stretches.pop();
    }
    stretches.push(last);
  }
  return stretches.flatMap(({ same, removed, added }): DiffPart[] => [
    { text: same, kind: "same" },
    { text: removed, kind: "removed" },
    { text: added, kind: "added" },
  ]).filter(({ text }) => text !== "");
}

function stretchesOf(parts: readonly DiffPart[]): Stretch[] {
  const stretches: Stretch[] = [];
  let open: Stretch = { same: "", removed: "", added: "" };
  for (const { kind, text } of parts) {
    if (kind === "same" && (open.removed || open.added)) {
      stretches.push(open);
      open = { same: "", removed: "", added: "" };
    }
    open[kind] += text;
  }
  return [...stretches, open];
}

/**
 * Return whether the run between two changes is absorbed: it is shorter than both, and text was replaced around it. A
 * run with words stays next to a mere addition or removal, as nothing interleaves there. The end of a line stays too.
 */
function isAbsorbed(previous: Stretch, next: Stretch): boolean {
  const { same } = next;
  const words = countWords(same);
  if (same.includes("\n") || words > MOST_ABSORBED_WORDS || same.trim().length >= Math.min(lengthOf(previous), lengthOf(next))) return false;
  if (words > 0) return isReplacement(previous) && isReplacement(next);
  return isReplacement({ removed: previous.removed + next.removed, added: previous.added + next.added });
}

const lengthOf = ({ removed, added }: Stretch) => Math.max(removed.length, added.length);
const isReplacement = ({ removed, added }: Omit<Stretch, "same">) => removed !== "" && added !== "";

/** Return the number of words. `1,000` is one word. */
const countWords = (text: string) => text.match(/[\p{L}\p{N}]+(?:[.,'’][\p{L}\p{N}]+)*/gu)?.length ?? 0;

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
