/** Text from models is data: it is shown as text, with control characters made visible. */

// Control characters (escape sequences), invisible formatting (bidi overrides, zero-width signs,
// tags), line and paragraph separators. Tab, newline and the two joiners that scripts need may stay.
const ACTING = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Return the name of a control character: `⟨U+202E⟩`. */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(ACTING, sign);
}

function sign(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

export interface Excerpt {
  text: string;
  /** The number of omitted characters. */
  hidden: number;
}

/** Return the first characters and lines: long texts would slow the page down and hide what follows. */
export function excerpt(text: string, maxCharacters: number, maxLines: number): Excerpt {
  let end = Math.min(text.length, maxCharacters);
  let at = -1;
  for (let line = 0; line < maxLines; line += 1) {
    at = text.indexOf("\n", at + 1);
    if (at === -1 || at >= end) break;
    if (line === maxLines - 1) end = at;
  }
  // Never between the halves of a surrogate pair.
  if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? "")) end -= 1;
  return { text: text.slice(0, end), hidden: text.length - end };
}
