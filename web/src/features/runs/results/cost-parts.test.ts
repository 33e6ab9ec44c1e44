import { expect, test } from "vitest";
import { costPartsInWords } from "./cost-parts";

const words = (answers_usd: number, judging_usd: number, other_usd: number) => costPartsInWords({ answers_usd, judging_usd, other_usd })?.replaceAll("\u00A0", " ");

test("the parts of a cost are named with their amounts", () => {
  expect(words(2, 1, 0)).toBe("answers $2.00 · judging $1.00");
  expect(words(2, 1, 0.5)).toBe("answers $2.00 · judging $1.00 · other calls $0.50");
});

test("a run with one kind of cost says which", () => {
  expect(words(2, 0, 0)).toBe("answers only");
  expect(words(0, 1, 0)).toBe("judging only");
});

test("an amount that is too small to be shown is no part that is missing", () => {
  expect(words(0.0000005, 0.02, 0)).toBe("answers < $0.000001 · judging $0.0200");
});

test("there is nothing to divide where nothing was paid, or the parts are unknown", () => {
  expect(words(0, 0, 0)).toBeUndefined();
  expect(costPartsInWords(null)).toBeNull();
});
