import { expect, test } from "vitest";
import type { Field } from "@/api/generated/config-api";
import { askedLabels, isGiven, labelText, missingFields } from "../words";
import { keyOf, labelAfter } from "./keys";
import { partOf, wordsOf } from "./words-of-text";

const OPTIONS = ["a", "b", "c"].map((value) => ({ value, label: value.toUpperCase() }));
const CLASSES: Field = { name: "kind", type: "classification", options: OPTIONS };
const SEVERAL: Field = { ...CLASSES, multiple: true };
const RATING: Field = { name: "tone", type: "rating", scale: { min: 0, max: 5 } };
const WIDE: Field = { name: "wide", type: "rating", scale: { min: -2, max: 2 } };
const RANKING: Field = { name: "order", type: "ranking", options: OPTIONS };
const PAIR: Field = { name: "better", type: "pairwise" };
const WHY: Field = { name: "why", type: "text", only_if: { field: "kind", values: ["b"] } };

test("digits choose options by their place, and levels of a scale of single digits by their number", () => {
  expect([labelAfter(CLASSES, undefined, "2"), labelAfter(CLASSES, "a", "9")]).toEqual(["b", undefined]);
  expect([labelAfter(RATING, undefined, "0"), labelAfter(RATING, undefined, "5"), labelAfter(RATING, undefined, "6")]).toEqual([0, 5, undefined]);
  expect([keyOf(WIDE, 0), labelAfter(WIDE, undefined, "1"), labelAfter(PAIR, undefined, "3")]).toEqual(["1", -2, "tie"]);
  expect([keyOf(CLASSES, 9), keyOf(CLASSES, 10)]).toEqual(["0", null]);
});

test("arrows step through the choices, and several options are added and taken back", () => {
  expect([labelAfter(RATING, undefined, "ArrowRight"), labelAfter(RATING, 5, "ArrowRight"), labelAfter(RATING, 0, "ArrowLeft")]).toEqual([0, 0, 5]);
  expect(labelAfter(SEVERAL, labelAfter(SEVERAL, undefined, "1"), "3")).toEqual(["a", "c"]);
  expect(labelAfter(SEVERAL, ["a", "c"], "1")).toEqual(["c"]);
  expect(labelAfter(SEVERAL, ["a"], "ArrowRight")).toBeUndefined();
});

test("a ranking is complete once every option has its place, and Backspace takes the last one back", () => {
  const two = labelAfter(RANKING, labelAfter(RANKING, undefined, "3"), "1");
  expect([two, isGiven(RANKING, two)]).toEqual([["c", "a"], false]);
  expect(isGiven(RANKING, labelAfter(RANKING, two, "2"))).toBe(true);
  expect(labelAfter(RANKING, two, "Backspace")).toEqual(["c"]);
  expect(labelText(RANKING, ["c", "a", "b"])).toBe("C > A > B");
});

test("a question that is not asked any more loses its label", () => {
  expect(askedLabels([CLASSES, WHY], { kind: "b", why: "so" })).toEqual({ kind: "b", why: "so" });
  expect(askedLabels([CLASSES, WHY], { kind: "a", why: "so" })).toEqual({ kind: "a" });
  expect(missingFields([CLASSES, WHY], { kind: "b", why: "  " }).map(({ name }) => name)).toEqual(["why"]);
});

test("places of passages are counted in characters as the server counts them", () => {
  const words = wordsOf("  👍 fine,\nno 𝒙");
  expect(words.map(({ text, start, end }) => [text, start, end])).toEqual([["👍", 2, 3], ["fine,", 4, 9], ["no", 10, 12], ["𝒙", 13, 14]]);
  expect(partOf("  👍 fine", 2, 4)).toBe("👍 ");
});
