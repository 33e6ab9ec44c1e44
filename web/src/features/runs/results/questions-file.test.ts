import { expect, test } from "vitest";
import { withoutContext } from "./questions-file";

test("a case loses its context and nothing else", () => {
  expect(withoutContext('{"prompt":"How many?","context":"25 days.","metadata":{"context":"kept"}}\n\n{"prompt":"And then?"}\n')).toBe('{"prompt":"How many?","metadata":{"context":"kept"}}\n{"prompt":"And then?"}\n');
  expect(withoutContext("\n")).toBe("");
});
