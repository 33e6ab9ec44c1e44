import { expect, test } from "vitest";
import { usdColumn } from "./usd-column";
import { formatAgo, formatDay } from "./when";

const shown = (values: (number | null)[]) => values.map(usdColumn(values));
const NOW = Date.parse("2026-03-29T12:00:00Z");

test.each([
  ["2026-03-29T11:59:30Z", "just now"],
  ["2026-03-29T11:48:00Z", "12 min ago"],
  ["2026-03-29T15:00:00Z", "in 3 h"],
  ["2026-03-27T11:00:00Z", "2 days ago"],
])("%s is %s", (at, text) => expect(formatAgo(at, NOW).replaceAll("\u00a0", " ")).toBe(text));

test("what is long ago is a date, and a day has its weekday", () => {
  expect(formatAgo("2025-01-15T12:00:00Z", NOW)).toContain("Jan 15, 2025");
  expect(formatDay("2026-03-29")).toBe("Sun, Mar 29, 2026");
});

test("all costs of a column have the decimals that the smallest needs", () => {
  expect(shown([12.4, 0.5, 0, null])).toEqual(["$12.40", "$0.50", "$0.00", "–"]);
  expect(shown([12.4, 0.0031])).toEqual(["$12.4000", "$0.0031"]);
  expect(shown([0.00004, 0.0000001])).toEqual(["$0.000040", "< $0.000001"]);
});
