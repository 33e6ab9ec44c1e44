import { GRADE_NAMES } from "./grades";

/** Longer texts are compared by their beginning. */
const MOST_CHARACTERS = 20_000;
const NO_AIM: ReadonlySet<string> = new Set([GRADE_NAMES.incorrect_answer_direction, "Must be cited"]);

/** Return the reference that shares most words with an answer. A wrong answer is never one. */
export function nearestReference(references: readonly [string, string][], answer: string): [string, string] | undefined {
  const given = wordsOf(answer);
  const nearness = (text: string) => {
    const words = wordsOf(text);
    return [...words].filter((word) => given.has(word)).length / (words.size + given.size || 1);
  };
  const ranked = references.filter(([name]) => !NO_AIM.has(name)).map((one) => ({ one, near: nearness(one[1]) }));
  return ranked.toSorted((one, other) => other.near - one.near)[0]?.one;
}

const wordsOf = (text: string) => new Set(text.slice(0, MOST_CHARACTERS).toLowerCase().match(/[\p{L}\p{N}]+/gu));
