import { expect, test } from "vitest";
import { toCsv } from "./csv";

test("fields are quoted where needed, and nothing is left that a spreadsheet would run", () => {
  expect(toCsv([["a", "b"], ['say "hi", now', -1.5], ["=SUM(A1)", null]])).toBe('a,b\r\n"say ""hi"", now",-1.5\r\n\'=SUM(A1),\r\n');
});
