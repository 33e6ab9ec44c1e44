import { expect, test } from "vitest";
import { inPoints } from "./gate-margin";

test("a gate that is refused speaks of points, as its form does", () => {
  const detail = "With 8 cases a margin of 0.05 finds an unchanged model fine in 4 of 100 comparisons, and 80 of 100 are needed. Ask 156 cases, or allow a margin of 0.259.";
  expect(inPoints({ status: 422, data: { detail } }).data.detail).toBe(detail.replace("0.05", "5 points").replace("0.259", "25.9 points"));
  expect(inPoints("allow a margin of 10%")).toBe("allow a margin of 10%");
  expect(inPoints(undefined)).toBeUndefined();
});
