import { expect, test } from "vitest";
import { wordDiff } from "./word-diff";

const many = (salt: string) => `Begin ${Array.from({ length: 4000 }, (_, index) => (index % 2 ? "word" : `${salt}${index}`)).join(" ")} end`;
const textOf = (parts: ReturnType<typeof wordDiff>, left: "added" | "removed") => parts.filter((one) => one.kind !== left).map((one) => one.text).join("");

const sameOf = (before: string, after: string) => wordDiff(before, after).filter((one) => one.kind === "same").map((one) => one.text.trim());

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

test("texts with few common words are one removed and one added part", () => {
  const [reference, answer] = ["Here is the answer: 1,000", "Let me see. 1,000"];
  expect(wordDiff(reference, answer)).toEqual([{ text: reference, kind: "removed" }, { text: answer, kind: "added" }]);
  const [old, now] = ["Water boils at a hundred degrees, because the pressure is low.", "I think a kettle is a tool, and the tea in it is hot."];
  expect(wordDiff(old, now)).toEqual([{ text: old, kind: "removed" }, { text: now, kind: "added" }]);
});

test("a short reference within a long answer is marked as common", () => {
  expect(wordDiff("42", "Let me see: 17 + 25 = 42.").find((one) => one.kind === "same")).toEqual({ text: "42", kind: "same" });
  expect(wordDiff("", "Something")).toEqual([{ text: "Something", kind: "added" }]);
});

test("a short common run between replaced words does not split the change", () => {
  expect(wordDiff("Yesterday I saw a red car on the long road home.", "Yesterday I saw a blue bus on the long road home.")).toEqual([
    { text: "Yesterday I saw a ", kind: "same" },
    { text: "red car", kind: "removed" },
    { text: "blue bus", kind: "added" },
    { text: " on the long road home.", kind: "same" },
  ]);
  expect(wordDiff("The committee approved a budget for the next year.", "The committee rejected a proposal for the next year.")).toEqual([
    { text: "The committee ", kind: "same" },
    { text: "approved a budget", kind: "removed" },
    { text: "rejected a proposal", kind: "added" },
    { text: " for the next year.", kind: "same" },
  ]);
});

test("a common run stays between additions, between lines and where it is a phrase", () => {
  expect(sameOf("It is nice here.", "It is really very nice indeed over here.")).toContain("nice");
  const lines = wordDiff("Common start\nelephants\nCommon end", "Common start\ncrocodiles\nCommon end");
  expect(lines.map((one) => one.kind)).toEqual(["same", "removed", "added", "same"]);
  expect(wordDiff("one two elephants\ncrocodiles three four", "one two giraffes\nhippopotami three four").map((one) => one.text)).toContain("\n");
  const phrase = "in the middle of the";
  expect(sameOf(`Extraordinarily complicated machinery ${phrase} incomprehensible documentation`, `Straightforwardly understandable sentences ${phrase} uncontroversial specification`)).toContain(phrase);
});

test("common phrases stay where about half of the words are common", () => {
  const [before, after] = ["Photosynthesis turns light, water and carbon dioxide into sugar and oxygen.", "Plants use photosynthesis to turn light, water and CO2 into glucose and oxygen, in the chloroplasts."];
  expect(sameOf(before, after)).toEqual(["light, water and", "and oxygen", "."]);
});

test("no word is lost by joining", () => {
  const before = "The quick brown fox jumps over a lazy dog, and then it sleeps in the warm sun all day.";
  const after = "The slow green fox leaps over an idle cat, and then he rests in the cold rain all day.";
  const parts = wordDiff(before, after);
  expect([textOf(parts, "added"), textOf(parts, "removed")]).toEqual([before, after]);
});
