/** Split a text into words, with their places counted in characters as the server counts them (code points). */

export interface Word {
  text: string;
  /** The white space after the word. */
  gap: string;
  start: number;
  end: number;
}

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  for (const [token] of text.matchAll(/\S+|\s+/g)) {
    const length = [...token].length;
    const last = words.at(-1);
    if (token.trim() !== "") words.push({ text: token, gap: "", start: at, end: at + length });
    else if (last) last.gap = token;
    at += length;
  }
  return words;
}

/** Return the part of a text between two places. */
export const partOf = (text: string, start: number, end: number): string => [...text].slice(start, end).join("");
