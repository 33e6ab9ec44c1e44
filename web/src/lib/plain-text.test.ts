import { expect, test } from "vitest";
import { excerpt, harmless } from "./plain-text";

test("text that only is text stays as it is", () => {
  const text = "Grüße, 世界 👩‍🔬\n\tfn(x) => <b>x</b> & more";
  expect(harmless(text)).toBe(text);
});

test.each([
  ["a bidi override", "\u202egnp.exe", "⟨U+202E⟩gnp.exe"],
  ["a bidi isolate", "a\u2066b", "a⟨U+2066⟩b"],
  ["an escape sequence", "\u001b[31mred", "⟨U+001B⟩[31mred"],
  ["NUL", "a\u0000b", "a⟨U+0000⟩b"],
  ["a zero-width space", "a\u200bb", "a⟨U+200B⟩b"],
  ["a hidden tag", "a\u{e0041}", "a⟨U+E0041⟩"],
  ["a byte order mark", "\ufeffa", "⟨U+FEFF⟩a"],
  ["Windows line ends", "a\r\nb", "a\nb"],
  ["a lone carriage return", "good\rbad", "good⟨U+000D⟩bad"],
])("%s is shown, not obeyed", (_name, text, shown) => expect(harmless(text)).toBe(shown));

test("an excerpt is bounded by characters and by lines", () => {
  expect(excerpt("short", 100, 10)).toEqual({ text: "short", hidden: 0 });
  expect(excerpt("a".repeat(2_000_000), 100, 10)).toEqual({ text: "a".repeat(100), hidden: 1_999_900 });
  expect(excerpt("1\n2\n3\n4", 100, 2)).toEqual({ text: "1\n2", hidden: 4 });
});

test("an excerpt never tears a character", () => {
  expect(excerpt("ab😀", 3, 10)).toEqual({ text: "ab", hidden: 2 });
});
