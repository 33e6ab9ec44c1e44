import { expect, test } from "vitest";
import { wordDiff } from "./word-diff";

const many = (salt: string) => Array.from({ length: 4000 }, (_, index) => (index % 2 ? "word" : `${salt}${index}`)).join(" ");

test("words that were added and removed are told from those that stayed", () => {
  const parts = wordDiff("The capital is Paris, of course.", "The capital is Lyon, of course.");
  expect(parts?.filter((one) => one.kind !== "same")).toEqual([
    { text: "Paris", kind: "removed" },
    { text: "Lyon", kind: "added" },
  ]);
  expect(wordDiff("same", "same")).toEqual([{ text: "same", kind: "same" }]);
});

test("texts with too little in common, or too many changes, are not marked", () => {
  expect(wordDiff("one two three four", "un deux trois quatre")).toBeNull();
  expect(wordDiff(many("a"), many("b"))).toBeNull();
});
