import { beforeEach, expect, test, vi } from "vitest";
import { changed, itemRow, logged, runDetail, statusChanged } from "@/testing/samples";
import { LogBook } from "./log-book";
import { RunStore } from "./run-store";

let flush = () => {};
let store: RunStore;

beforeEach(() => {
  store = new RunStore((run) => {
    flush = run;
    return { request: () => undefined, cancel: () => undefined };
  });
});

test("events wait for the frame", () => {
  store.receive(changed(1, itemRow(0, { status: "IN_PROGRESS" })));
  expect(store.items.rows.get("item-0")).toBeUndefined();
  flush();
  expect(store.items.rows.get("item-0")?.status).toBe("IN_PROGRESS");
});

test("a row's watcher is woken by its own row only", () => {
  const mine = vi.fn<() => void>();
  store.items.rows.subscribe("item-0", mine);
  store.receive(changed(1, itemRow(1)));
  flush();
  expect(mine).not.toHaveBeenCalled();
  store.receive(changed(2, itemRow(0)));
  flush();
  expect(mine).toHaveBeenCalledTimes(1);
});

test("an older event never overwrites a newer row", () => {
  store.receive(changed(9, itemRow(0, { status: "COMPLETED" })));
  store.receive(changed(4, itemRow(0, { status: "IN_PROGRESS" })));
  flush();
  expect(store.items.rows.get("item-0")?.status).toBe("COMPLETED");
});

test("a snapshot older than an event leaves the event's state", () => {
  store.receive(statusChanged(7, "PAUSED"));
  flush();
  store.loadRun(runDetail({ status: "RUNNING", last_seq: 5 }));
  expect(store.head.get()?.status).toBe("PAUSED");
  store.loadRun(runDetail({ status: "RUNNING", last_seq: 8 }));
  expect(store.head.get()?.status).toBe("RUNNING");
});

test("rows are listed by position and counted by state", () => {
  store.loadItems([itemRow(2), itemRow(0, { status: "FAILED" }), itemRow(1)], 1);
  expect(store.items.index.get().ids).toEqual(["item-0", "item-1", "item-2"]);
  expect(store.items.index.get().counts).toMatchObject({ NEW: 2, FAILED: 1 });
});

test("the order stays the same array while no row is added", () => {
  store.loadItems([itemRow(0), itemRow(1)], 1);
  const { ids } = store.items.index.get();
  store.items.put(itemRow(0, { status: "COMPLETED" }), 2);
  store.items.reindex();
  expect(store.items.index.get().ids).toBe(ids);
  expect(store.items.index.get().counts.COMPLETED).toBe(1);
});

test("lines that made room can be loaded again, and are then kept", () => {
  const log = new LogBook(2);
  expect(log.add([logged(5), logged(6)])).toBe(false);
  expect(log.add([logged(7)])).toBe(true);
  log.prepend([logged(4), logged(5)]);
  expect(log.lines.get().map((line) => line.run_seq)).toEqual([4, 5, 6, 7]);
  log.add([logged(8)]);
  expect(log.lines.get().map((line) => line.run_seq)).toEqual([5, 6, 7, 8]);
});

test("earlier lines are not added where lines have been dropped meanwhile", () => {
  store.receive(logged(30));
  flush();
  store.logStart.set(20);
  expect(store.loadEarlierLog([logged(15)], 11, 19)).toBe(false);
  expect(store.logStart.get()).toBe(20);
  expect(store.loadEarlierLog([logged(15)], 11, 20)).toBe(true);
  expect(store.logStart.get()).toBe(11);
  expect(store.log.lines.get().map((line) => line.run_seq)).toEqual([15, 30]);
});

test("late log lines take their place, and the oldest make room", () => {
  const log = new LogBook(3);
  log.add([logged(5), logged(7)]);
  log.add([logged(6)]);
  expect(log.lines.get().map((line) => line.run_seq)).toEqual([5, 6, 7]);
  log.add([logged(8)]);
  expect(log.lines.get().map((line) => line.run_seq)).toEqual([6, 7, 8]);
});
