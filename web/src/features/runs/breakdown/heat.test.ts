import { expect, test } from "vitest";
import { itemRow } from "@/testing/samples";
import { heatRows } from "./heat";

test("epochs of a task are one cell, the hardest task comes first, what has no score last", () => {
  const rows = heatRows([
    itemRow(0, { task_id: "easy", status: "COMPLETED", score_normalised: 1 }),
    itemRow(1, { task_id: "open" }),
    itemRow(2, { task_id: "hard", status: "COMPLETED", score_normalised: 0.2 }),
    itemRow(3, { task_id: "hard", status: "COMPLETED", score_normalised: 0.4, epoch: 2 }),
    itemRow(4, { task_id: "hard", status: "FAILED", target_id: "target-2" }),
  ]);
  expect(rows.map((row) => row.taskId)).toEqual(["hard", "easy", "open"]);
  expect(rows[0]!.cells.get("target-1")).toMatchObject({ scored: 2, items: 2, failed: 0 });
  expect(rows[0]!.cells.get("target-1")!.mean).toBeCloseTo(0.3);
  expect(rows[0]!.cells.get("target-2")).toMatchObject({ mean: null, failed: 1 });
});
