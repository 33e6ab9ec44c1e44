import { expect, test } from "vitest";
import { toYaml } from "./yaml";

test("lists and objects are nested by two spaces", () => {
  expect(toYaml({ name: "nightly", tasks: [{ name: "sums", source: { dataset: "Sums", version: 2 }, after: [] }, ["a", [1]]], none: null, left: undefined })).toBe(
    ["name: nightly", "tasks:", "  - name: sums", "    source:", "      dataset: Sums", "      version: 2", "    after: []", "  - - a", "    - - 1", "none: null", ""].join("\n"),
  );
});

test.each([
  ["plain words", "plain words"],
  ["no", '"no"'],
  ["1.5", '"1.5"'],
  ["a: b", '"a: b"'],
  ["- a", '"- a"'],
  ["ends ", '"ends "'],
  ["# a", '"# a"'],
  ["", '""'],
  ["tab\there", '"tab\\there"'],
  ["\u202eabc", '"\\u202eabc"'],
  ["a\u0085b", '"a\\u0085b"'],
  ['say "x"', '"say \\"x\\""'],
])("the text %j is written as %s", (given, written) => {
  expect(toYaml({ text: given })).toBe(`text: ${written}\n`);
});

test("a text of several lines is a block, unless a reader would change it", () => {
  expect(toYaml({ text: "You add.\n\n  Answer: 4" })).toBe("text: |-\n  You add.\n\n    Answer: 4\n");
  for (const text of ["ends\n", " begins\nb", "a \nb", "a\r\nb", "a\n\u200bb"]) expect(toYaml({ text })).toMatch(/^text: ".*"\n$/);
});

test("numbers without a point keep being numbers", () => {
  expect(toYaml([1e-7, 1e21, 0.5, -3, true])).toBe("- 1.0e-7\n- 1.0e+21\n- 0.5\n- -3\n- true\n");
});
