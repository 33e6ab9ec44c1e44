import { expect, test } from "vitest";
import { readMetadata } from "./metadata-filter";

test("fields and values become what the API is asked for", () => {
  expect(readMetadata(" difficulty=hard, year = 2024,open=true ").filter).toBe('{"difficulty":"hard","year":2024,"open":true}');
  expect(readMetadata("formula=a=b").filter).toBe('{"formula":"a=b"}');
  expect(readMetadata('{"tags": ["x"]}').filter).toBe('{"tags":["x"]}');
  expect(readMetadata("  ")).toEqual({ filter: null, problem: null });
});

test("what cannot be read says how it is written", () => {
  expect(readMetadata("hard").problem).toMatch(/field=value/);
  expect(readMetadata("difficulty=hard,").problem).toMatch(/field=value/);
  expect(readMetadata("{oops").problem).toMatch(/JSON/);
});
