/** Return a pattern that finds a text literally, in upper or lower case; null for an empty text. */
export function patternOf(text: string): RegExp | null {
  return text === "" ? null : new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu");
}

/** Show a text with all matches of a pattern marked. */
export function Marked({ text, pattern }: { text: string; pattern: RegExp | null }) {
  if (pattern === null) return text;
  // With a group, the parts at odd places are the matches.
  const parts = text.split(new RegExp(`(${pattern.source})`, pattern.flags));
  // The parts have no other identity than their place.
  // oxlint-disable-next-line react/no-array-index-key
  return parts.map((part, index) => (index % 2 === 1 ? <mark key={index} className="rounded-xs bg-warn-soft text-warn underline">{part}</mark> : part));
}
