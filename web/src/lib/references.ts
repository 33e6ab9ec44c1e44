import type { Case } from "@/api/generated/orchestrator";

/** Return the name and text of each reference that a case has. */
export function referencesOf(one: Case): [string, string][] {
  const truth = one.ground_truth;
  const references: [string, string | null | undefined][] = [
    ["Expected", one.expected_output],
    ["Excellent", one.excellent],
    ["Good", one.good],
    ["Pass", one.pass],
    ["Incorrect", one.incorrect_answer_direction],
    ["True", truth?.answer],
    ["Also accepted", truth?.acceptable_answers?.join("\n")],
    ["Must be cited", truth?.citations?.join("\n")],
  ];
  return references.filter((pair): pair is [string, string] => Boolean(pair[1]));
}

/** Longer texts are compared by their beginning. */
const MOST_CHARACTERS = 20_000;
const NO_AIM: ReadonlySet<string> = new Set(["Incorrect", "Must be cited"]);

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
