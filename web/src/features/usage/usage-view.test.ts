import { expect, test } from "vitest";
import { chartDays, dayOf, daysBetween, groupOf } from "./usage-view";

test("days span the end of a month and a change of the clocks", () => {
  expect(daysBetween("2026-10-24", "2026-10-26")).toEqual(["2026-10-24", "2026-10-25", "2026-10-26"]);
  expect(daysBetween("2026-11-30", "2026-12-01")).toEqual(["2026-11-30", "2026-12-01"]);
});

test("a day without calls is drawn as zero", () => {
  const row = { day: "2026-11-02", calls: 3, cost_usd: 0.5, unpriced_calls: 0, prompt_tokens: 0, completion_tokens: 0, items: 0 };
  expect(chartDays("2026-11-01", "2026-11-02", [row])).toEqual([
    { day: "2026-11-01", cost: 0, calls: 0 },
    { day: "2026-11-02", cost: 0.5, calls: 3 },
  ]);
});

test("what is no day and no group is ignored", () => {
  expect([dayOf("2026-13-45"), dayOf("today"), dayOf(null), dayOf("2026-11-01")]).toEqual([null, null, null, "2026-11-01"]);
  expect([groupOf("model"), groupOf("planet"), groupOf(null)]).toEqual(["model", "day", "day"]);
});
