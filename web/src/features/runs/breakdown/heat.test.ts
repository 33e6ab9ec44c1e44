import { expect, test } from "vitest";
import { itemRow } from "@/testing/samples";
import { heatRows } from "./heat";

const items = [
  itemRow(0, { task_id: "alike", category: "sums", status: "COMPLETED", score_normalised: 1 }),
  itemRow(1, { task_id: "alike", category: "sums", status: "COMPLETED", score_normalised: 0.9, target_id: "target-2" }),
  itemRow(2, { task_id: "apart", category: "law", status: "COMPLETED", score_normalised: 0.2 }),
  itemRow(3, { task_id: "apart", category: "law", status: "COMPLETED", score_normalised: 0.4, epoch: 2 }),
  itemRow(4, { task_id: "apart", category: "law", status: "COMPLETED", score_normalised: 0.8, target_id: "target-2" }),
  itemRow(5, { task_id: "alone", category: "law", status: "COMPLETED", score_normalised: 0.5 }),
  itemRow(6, { task_id: "alone", category: "law", status: "FAILED", target_id: "target-2" }),
];

test("epochs of a task are one cell, and the task on which targets disagree most comes first", () => {
  const rows = heatRows(items, "task_id");
  expect(rows.map((row) => row.name)).toEqual(["apart", "alike", "alone"]);
  expect(rows[0]!.cells.get("target-1")).toMatchObject({ scored: 2, items: 2, failed: 0 });
  expect(rows[0]!.cells.get("target-1")!.mean).toBeCloseTo(0.3);
  expect(rows[0]!.spread).toBeCloseTo(0.5);
  expect(rows[2]!.cells.get("target-2")).toMatchObject({ mean: null, failed: 1 });
  expect(rows[2]!.spread).toBeNull();
});

test("categories are rows, too", () => {
  const rows = heatRows(items, "category");
  expect(rows.map((row) => row.name)).toEqual(["law", "sums"]);
  expect(rows[0]!.cells.get("target-1")).toMatchObject({ scored: 3, items: 3 });
});
