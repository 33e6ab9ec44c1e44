import { expect, test } from "vitest";
import type { ItemRow, RunStatus } from "@/api/generated/orchestrator";
import { itemRow } from "@/testing/samples";
import { ItemTable } from "./item-table";
import { ValueStore } from "./observable";
import { RetryWatch, type Outcome } from "./retry-watch";

function failedRun() {
  const items = new ItemTable();
  const head = new ValueStore<{ status: RunStatus; seq: number } | null>({ status: "FINISHED", seq: 10 });
  const put = (row: ItemRow, seq: number) => {
    items.put(row, seq);
    items.reindex();
  };
  put(itemRow(0, { status: "FAILED" }), 1);
  put(itemRow(1, { status: "COMPLETED" }), 1);
  const outcomes: Outcome[] = [];
  return { head, put, outcomes, watch: new RetryWatch(items, head) };
}

test("the outcome is known once the run is over and the item has changed", () => {
  const { head, put, outcomes, watch } = failedRun();
  watch.prepare()((outcome) => outcomes.push(outcome));
  expect(watch.current.get()).toMatchObject({ before: [{ id: "item-0" }], after: null });
  head.set({ status: "RUNNING", seq: 12 });
  put(itemRow(0, { status: "NEW" }), 11);
  head.set({ status: "FINISHED", seq: 15 });
  expect(outcomes).toEqual([]);
  put(itemRow(0, { status: "FAILED" }), 14);
  expect(outcomes.map(({ after }) => after.map((row) => row.status))).toEqual([["FAILED"]]);
  head.set({ status: "FINISHED", seq: 16 });
  expect(outcomes).toHaveLength(1);
});

test("items that end before the run is known to have continued wait for its end", () => {
  const { head, put, outcomes, watch } = failedRun();
  watch.prepare(["item-0"])((outcome) => outcomes.push(outcome));
  put(itemRow(0, { status: "COMPLETED" }), 14);
  expect(outcomes).toEqual([]);
  head.set({ status: "FINISHED", seq: 15 });
  expect(watch.current.get()?.after?.[0]?.status).toBe("COMPLETED");
});

test("a cancelled run ends the watch with the items as they are", () => {
  const { head, outcomes, watch } = failedRun();
  watch.prepare()((outcome) => outcomes.push(outcome));
  head.set({ status: "CANCELLED", seq: 12 });
  expect(outcomes).toHaveLength(1);
});

test("nothing is watched where nothing failed", () => {
  const { watch } = failedRun();
  watch.prepare(["item-1"])(() => undefined);
  expect(watch.current.get()).toBeNull();
});
