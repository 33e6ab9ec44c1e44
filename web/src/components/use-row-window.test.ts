// @vitest-environment jsdom
import { expect, test } from "vitest";
import { nextOffset } from "./use-row-window";

const keys = (by: number, first: number, length: number) => Array.from({ length }, (_, at) => first + at - by);

test("a row keeps its key while the reader moves on by a few", () => {
  const before = { first: 100, by: 100 };
  expect(nextOffset(before, 105, 24)).toEqual({ first: 105, by: 100 });
  expect(nextOffset(before, 93, 24)).toEqual({ first: 93, by: 100 });
});

test("the rows of a leap get the keys of those that were there", () => {
  const drawn = keys(0, 0, 24);
  const far = nextOffset({ first: 0, by: 0 }, 40_000, 24);
  expect(keys(far.by, 40_000, 24)).toEqual(drawn);
  const back = nextOffset(far, 12, 24);
  expect(keys(back.by, 12, 24)).toEqual(drawn);
});
