import { expect, test } from "vitest";
import type { ItemRow } from "@/api/generated/orchestrator";
import { casesOf } from "./cases";

const rows: Record<string, Pick<ItemRow, "task_id" | "epoch">> = { a: { task_id: "sum", epoch: 1 }, b: { task_id: "sum", epoch: 1 }, c: { task_id: "sum", epoch: 2 }, d: { task_id: "law", epoch: 1 } };

test("answers of several targets are one case, each epoch its own, in the order of the filter", () => {
  const cases = casesOf(["d", "b", "c", "a", "unknown"], (id) => rows[id] as ItemRow | undefined);
  expect(cases.map((one) => one.itemId)).toEqual(["d", "b", "c"]);
});
