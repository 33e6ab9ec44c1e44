import { expect, test } from "vitest";
import { limitInWords, limitOf, limitProblem, NO_LIMIT, toFilter } from "./case-limit";

test("nothing said is no filter", () => {
  expect(toFilter(NO_LIMIT)).toBeNull();
  expect(limitOf(null)).toEqual(NO_LIMIT);
});

test.each([
  { category: "sums" },
  { checks: [{}] },
  { metadata: { tags: ["hard", "sources"] } },
  { category: "sums", metadata: { tags: ["hard"], level: 3 }, subcategory: "percent" },
  { checks: [{ kind: "contains" }], turn: 2 },
  { metadata: { tags: "hard" } },
])("the filter %j comes back as it was", (filter) => {
  expect(toFilter(limitOf(filter))).toEqual(filter);
});

test("what is no object is told", () => {
  expect(limitProblem({ ...NO_LIMIT, rest: "[1]" })).toMatch(/object in JSON/);
  expect(limitProblem({ ...NO_LIMIT, rest: '{"turn": 1}' })).toBeUndefined();
  expect(limitInWords({ category: "sums", tags: ["a", "b"], withChecks: true, rest: "{}" })).toBe("category sums, tags a, b, with checks, other parts");
});
