import { expect, test } from "vitest";
import { evaluatorOut, noFigures } from "@/testing/samples";
import { costParts, costPartsInWords } from "./cost-parts";

const run = (cost: number, answers: number | null, ...judges: (number | null)[]) => ({ cost_usd: cost, totals: { ...noFigures, cost_usd: answers }, evaluators: judges.map((usd) => evaluatorOut({ cost_usd: usd })) });
const words = (...of: Parameters<typeof run>) => costPartsInWords(costParts(run(...of)))?.replaceAll("\u00A0", " ");

test("the cost of a run divides into answers, judging and the calls that left neither", () => {
  expect(words(3, 2, 0.75, null, 0.25)).toBe("answers $2.00 · judging $1.00");
  expect(words(3.5, 2, 1)).toBe("answers $2.00 · judging $1.00 · other calls $0.50");
});

test("a run with one kind of cost says which", () => {
  expect(words(2, 2, null)).toBe("answers only");
  expect(words(1, null, 1)).toBe("judging only");
});

test("an amount that is too small to be shown is no part that is missing", () => {
  expect(words(0.02, 0.0000005, 0.02)).toBe("answers < $0.000001 · judging $0.0200");
  expect(words(0.3, 0.1, 0.2)).toBe("answers $0.10 · judging $0.20");
});

test("there is nothing to divide where nothing was paid, or not for all answers", () => {
  expect(words(0, null)).toBeUndefined();
  expect(words(1, 2, 1)).toBeUndefined();
});
