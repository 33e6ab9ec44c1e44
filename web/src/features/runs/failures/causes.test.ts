import { expect, test } from "vitest";
import type { ItemRow } from "@/api/generated/orchestrator";
import { itemRow } from "@/testing/samples";
import { causesOf } from "./causes";

const failed = (position: number, failure: Partial<NonNullable<ItemRow["failure"]>>) =>
  itemRow(position, { status: "FAILED", failure: { phase: "BENCHMARKING", kind: "group_failed", message: "no", retryable: true, ...failure } });

test("a wrong key and a cut connection are two causes, though both failed their group", () => {
  const rows = [
    failed(0, { cause: "unauthorized", kind: "rejected", message: "401" }),
    failed(1, { cause: "unauthorized", message: "401" }),
    failed(2, { cause: "connection_lost", message: "cut" }),
  ];
  expect(causesOf(rows).map(({ cause, ids }) => [cause, ids])).toEqual([["unauthorized", ["item-0", "item-1"]], ["connection_lost", ["item-2"]]]);
});

test("every text of a cause is counted, the most frequent first", () => {
  const rows = [failed(0, { cause: "bad_request", message: "a" }), failed(1, { cause: "bad_request", message: "b" }), failed(2, { cause: "bad_request", message: "b" })];
  expect(causesOf(rows)[0]?.messages).toEqual([{ message: "b", count: 2 }, { message: "a", count: 1 }]);
});

test("a failure that is older than causes goes by its kind", () => {
  expect(causesOf([failed(0, { kind: "timed_out" })])[0]?.cause).toBe("timed_out");
});
