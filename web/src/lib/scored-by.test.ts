import { expect, test } from "vitest";
import { firstOf, scoredBy } from "./scored-by";

test("many names are cut, and their number is said", () => {
  const names = Array.from({ length: 40 }, (_, at) => `task-${at}`);
  expect(firstOf(names)).toBe("task-0, task-1, task-2, task-3 and 36 more");
  expect(firstOf(names.slice(0, 5))).toBe("task-0, task-1, task-2, task-3, task-4");
  expect(scoredBy({ judge: null, evaluators: [] })).toBe("");
});
