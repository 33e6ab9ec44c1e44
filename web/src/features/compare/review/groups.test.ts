import { expect, test } from "vitest";
import { cell, comparedCase } from "@/testing/comparison-samples";
import { groupOf, inGroups } from "./groups";

const changed = (number: number, difference: number | null) => comparedCase(number, { cells: [cell(), cell({ difference })] });

test("each case is in one group, and a case without a difference is not compared", () => {
  expect([0.1, -0.1, 0, null].map((difference) => groupOf(changed(1, difference), 1))).toEqual(["better", "worse", "equal", "missing"]);
  expect(groupOf(comparedCase(1, { cells: [cell(), null] }), 1)).toBe("missing");
});

test("groups keep the order of the list and count what is not loaded, too", () => {
  const cases = [changed(1, -0.4), changed(2, -0.1), changed(3, 0.2), changed(4, null)];
  expect(inGroups(cases, 1, { worse: 5, better: 1, equal: 0, missing: 2, changed: 0, gained: 0, lost: 0 }).map(({ group, total, cases: some }) => [group, total, some.length])).toEqual([
    ["worse", 5, 2],
    ["better", 1, 1],
    ["missing", 2, 1],
  ]);
});
