import { expect, test } from "vitest";
import { wordDiff } from "./word-diff";

const many = (salt: string) => `Begin ${Array.from({ length: 4000 }, (_, index) => (index % 2 ? "word" : `${salt}${index}`)).join(" ")} end`;
const textOf = (parts: ReturnType<typeof wordDiff>, left: "added" | "removed") => parts.filter((one) => one.kind !== left).map((one) => one.text).join("");

test("words that were added and removed are told from those that stayed", () => {
  const parts = wordDiff("The capital is Paris, of course.", "The capital is Lyon, of course.");
  expect(parts.filter((one) => one.kind !== "same")).toEqual([
    { text: "Paris", kind: "removed" },
    { text: "Lyon", kind: "added" },
  ]);
  expect(wordDiff("same", "same")).toEqual([{ text: "same", kind: "same" }]);
});

test("texts with little in common are marked as well", () => {
  const parts = wordDiff("one two three four", "un deux trois quatre");
  expect(textOf(parts, "added")).toBe("one two three four");
  expect(textOf(parts, "removed")).toBe("un deux trois quatre");
});

test("texts with too many changes share their ends, and no word is lost", () => {
  const [before, after] = [many("a"), many("b")];
  const parts = wordDiff(before, after);
  expect(parts.map((one) => one.kind)).toEqual(["same", "removed", "added", "same"]);
  expect([textOf(parts, "added"), textOf(parts, "removed")]).toEqual([before, after]);
  const repeated = wordDiff("x ".repeat(5000), "x ".repeat(9000));
  expect(textOf(repeated, "removed")).toBe("x ".repeat(9000));
});
