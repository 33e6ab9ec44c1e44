// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RunDetail, RunEvents } from "@/api/generated/orchestrator";
import { FakeConnection } from "@/testing/fake-connection";
import { changed, itemRow, logged, RUN_ID, runDetail, statusChanged } from "@/testing/samples";
import type { LiveEvent } from "./event-schemas";
import { LOG_WINDOW, RunFeed, type RunReader } from "./run-feed";
import { RunStore } from "./run-store";

/** A server that holds all events of a run, and counts how often it is asked. */
class Server implements RunReader {
  readonly asked: number[] = [];
  readonly all: LiveEvent[];
  pageSize = 500;

  constructor(all: LiveEvent[]) {
    this.all = all;
  }

  run = async () => runDetail({ last_seq: this.all.length });
  items = async (cursor: string | null) => (cursor === null ? { items: [itemRow(0), itemRow(1)], next_cursor: "1" } : { items: [itemRow(2)], next_cursor: null });
  events = async (fromSeq: number): Promise<RunEvents> => {
    this.asked.push(fromSeq);
    const events = this.all.filter((one) => one.run_seq >= fromSeq).slice(0, this.pageSize);
    return { events, next_seq: (events.at(-1)?.run_seq ?? fromSeq - 1) + 1, last_seq: this.all.at(-1)?.run_seq ?? 0 };
  };
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => logged(index + 1));
const seqs = () => store.log.lines.get().map((line) => line.run_seq);

let store: RunStore;
let connection: FakeConnection;
let feed: RunFeed;

async function open(server: Server) {
  store = new RunStore();
  connection = new FakeConnection();
  connection.state.set({ name: "live" });
  feed = new RunFeed(RUN_ID, store, server, connection);
  await feed.start();
  await vi.advanceTimersByTimeAsync(20);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  feed.stop();
  vi.useRealTimers();
});

test("opens with all rows and the whole log, page by page", async () => {
  const server = new Server(lines(7));
  server.pageSize = 3;
  await open(server);
  expect(store.items.index.get().ids).toHaveLength(3);
  expect(store.loading.get()).toBeNull();
  expect(seqs()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(server.asked).toEqual([1, 4, 7]);
  expect(connection.fromSeqs()).toEqual(new Set([8]));
});

test("of a long log it reads the end, and earlier lines on request", async () => {
  const server = new Server(lines(LOG_WINDOW + 10));
  await open(server);
  expect(seqs()[0]).toBe(11);
  expect(store.logStart.get()).toBe(11);
  await feed.loadEarlierLog();
  await vi.advanceTimersByTimeAsync(20);
  expect(seqs()).toHaveLength(LOG_WINDOW + 10);
  expect(store.logStart.get()).toBe(1);
});

test("duplicates are dropped", async () => {
  await open(new Server(lines(2)));
  connection.event("log", logged(2, "again"));
  connection.event("log", logged(3));
  connection.event("log", logged(3, "again"));
  await vi.advanceTimersByTimeAsync(20);
  expect(store.log.lines.get().map((line) => line.text)).toEqual(["line 1", "line 2", "line 3"]);
});

test("numbers that merely come late cost no request", async () => {
  const server = new Server(lines(2));
  await open(server);
  server.asked.length = 0;
  connection.event("log", logged(4));
  connection.event("item", changed(3, itemRow(0, { status: "IN_PROGRESS" })));
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.asked).toEqual([]);
  expect(seqs()).toEqual([1, 2, 4]);
});

test("a lost event is read over REST", async () => {
  const server = new Server(lines(2));
  await open(server);
  server.all.push(logged(3), changed(4, itemRow(1, { status: "FAILED" })), logged(5));
  connection.event("log", logged(5));
  await vi.advanceTimersByTimeAsync(1000);
  expect(seqs()).toEqual([1, 2, 3, 5]);
  expect(store.items.rows.get("item-1")?.status).toBe("FAILED");
  expect(connection.fromSeqs()).toEqual(new Set([6]));
});

test("numbers that do not exist are settled, not asked for for ever", async () => {
  const server = new Server(lines(2));
  await open(server);
  server.asked.length = 0;
  server.all.push(logged(9));
  connection.event("log", logged(9));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.asked).toHaveLength(1);
  expect(connection.fromSeqs()).toEqual(new Set([10]));
});

test("while the connection is down it polls, and afterwards nothing is doubled", async () => {
  const server = new Server(lines(2));
  await open(server);
  connection.state.set({ name: "reconnecting" });
  server.all.push(logged(3), statusChanged(4, "PAUSED"));
  await vi.advanceTimersByTimeAsync(5000);
  expect(seqs()).toEqual([1, 2, 3]);
  expect(store.head.get()?.status).toBe("PAUSED");
  connection.state.set({ name: "live" });
  connection.event("log", logged(3));
  connection.event("log", logged(5));
  await vi.advanceTimersByTimeAsync(20);
  expect(seqs()).toEqual([1, 2, 3, 5]);
});

test("what cannot be read does not stop what can", async () => {
  await open(new Server([]));
  connection.send(`/topic/run/${RUN_ID}/log`, "{{{");
  connection.send(`/topic/run/${RUN_ID}/log`, JSON.stringify({ ...logged(1), type: "llmbench.run.sang.v1" }));
  connection.event("log", logged(1));
  await vi.advanceTimersByTimeAsync(20);
  expect(seqs()).toEqual([1]);
});

test("a server that is down at first is asked again", async () => {
  const server = new Server(lines(1));
  const run = vi.spyOn(server, "run").mockRejectedValueOnce(new Error("503"));
  const opening = open(server);
  await vi.advanceTimersByTimeAsync(3000);
  await opening;
  expect(run).toHaveBeenCalledTimes(2);
  expect(seqs()).toEqual([1]);
});

test.each([
  ["was refused", () => Promise.reject({ status: 503, data: { title: "Away", status: 503 } })],
  ["is older than the event", () => Promise.resolve(runDetail({ last_seq: 2, status: "RUNNING" }))],
])("figures of the end that %s are asked for again", async (_what, answer: () => Promise<RunDetail>) => {
  const server = new Server(lines(2));
  await open(server);
  const run = vi.spyOn(server, "run").mockImplementationOnce(answer);
  server.all.push(statusChanged(3, "FINISHED"));
  connection.event("status", statusChanged(3, "FINISHED"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run).toHaveBeenCalledTimes(2);
});

test("a server that stays behind its own events is not asked for ever", async () => {
  const server = new Server(lines(2));
  await open(server);
  const run = vi.spyOn(server, "run").mockResolvedValue(runDetail({ last_seq: 2 }));
  connection.event("status", statusChanged(3, "FINISHED"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run).toHaveBeenCalledTimes(2);
});

test("a run that is gone is not asked for again", async () => {
  const server = new Server(lines(2));
  await open(server);
  const run = vi.spyOn(server, "run").mockRejectedValue({ status: 404, data: { title: "Not found", status: 404 } });
  connection.event("status", statusChanged(3, "FINISHED"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run).toHaveBeenCalledTimes(1);
});
