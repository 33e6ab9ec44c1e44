/**
 * Keep a RunStore current: a snapshot over REST, then live events, with neither gap nor duplicate. The four topics of a
 * run share one numbering. Numbers still missing after a moment (lost, conflated, or of an unknown type) are read over
 * REST. Without a live connection the same endpoint is polled.
 */

import type { ItemPage, RunDetail, RunEvents } from "@/api/generated/orchestrator";
import { RUN_TOPICS } from "@/api/generated/run-events";
import { toProblem } from "@/lib/problem";
import type { Connection } from "./connection";
import { parseEvent, readEvent, type LiveEvent, type LogEvent } from "./event-schemas";
import type { Unsubscribe } from "./observable";
import type { RunStore } from "./run-store";
import { SequenceTracker } from "./sequence";
import { throttle } from "./throttle";

export interface RunReader {
  run(): Promise<RunDetail>;
  items(cursor: string | null): Promise<ItemPage>;
  events(fromSeq: number): Promise<RunEvents>;
}

/** The number of past events from which the log starts when a page opens. */
export const LOG_WINDOW = 2000;
/** Topics arrive interleaved: wait this long before requesting a missing number. */
const GAP_PATIENCE_MS = 700;
const OFFLINE_POLL_MS = 4000;
const REFRESH_MS = 1500;
const RETRY_MS = 2000;

export class RunFeed {
  readonly #runId: string;
  readonly #store: RunStore;
  readonly #reader: RunReader;
  readonly #connection: Connection;
  readonly #refresh = throttle(() => this.#reload(), REFRESH_MS);
  #tracker = new SequenceTracker();
  /** Events up to here are part of the snapshot; only their log lines are of interest. */
  #baseline = 0;
  /** Figures older than this event are fetched again. */
  #figuresDue = 0;
  #historyRead = false;
  #stopped = false;
  #filling: Promise<void> | null = null;
  #gapTimer: ReturnType<typeof setTimeout> | undefined;
  #pollTimer: ReturnType<typeof setInterval> | undefined;
  #unsubscribes: Unsubscribe[] = [];

  constructor(runId: string, store: RunStore, reader: RunReader, connection: Connection) {
    this.#runId = runId;
    this.#store = store;
    this.#reader = reader;
    this.#connection = connection;
  }

  /**
   * Start the feed. `known` is a response that may be some time old: later events are replayed. `early` are the first
   * rows, requested in parallel so that there is something to show.
   */
  async start(known?: RunDetail, early?: Promise<ItemPage>): Promise<void> {
    const run = known ?? (await this.#insist(() => this.#reader.run()));
    if (!run) return;
    // They may be older than the run: they are read again, and any event is newer.
    early?.then((page) => this.#stopped || this.#store.loadItems(page.items, 0), nothing);
    this.#store.loadRun(run);
    this.#baseline = run.last_seq;
    this.#tracker = new SequenceTracker(Math.max(0, run.last_seq - LOG_WINDOW));
    this.#store.logStart.set(this.#tracker.watermark + 1);
    this.#tracker.expect(run.last_seq);
    this.#listen();
    await Promise.all([this.fill(), this.#readItems()]);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#gapTimer);
    clearInterval(this.#pollTimer);
    this.#refresh.cancel();
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    this.#store.stop();
  }

  /** Read missing events up to the newest known number, one request at a time. */
  fill(): Promise<void> {
    this.#filling ??= this.#fillOnce().finally(() => {
      this.#filling = null;
    });
    return this.#filling;
  }

  /** Read the part of the log before the shown lines. Return whether lines were added. */
  async loadEarlierLog(): Promise<boolean> {
    const end = this.#store.logStart.get();
    const start = Math.max(1, end - LOG_WINDOW);
    const lines: LogEvent[] = [];
    for (let next = start; next < end; ) {
      const page = await this.#reader.events(next);
      if (this.#stopped) return false;
      for (const event of page.events.map(readEvent)) {
        if (event?.type === "llmbench.run.logged.v1" && event.run_seq < end) lines.push(event);
      }
      if (page.next_seq <= next) break;
      next = page.next_seq;
    }
    return this.#store.loadEarlierLog(lines, start, end);
  }

  #listen(): void {
    // Events before the snapshot are read over REST; afterwards a replay continues from the watermark.
    const fromSeq = () => Math.max(this.#tracker.watermark, this.#historyRead ? 0 : this.#baseline) + 1;
    for (const topic of RUN_TOPICS) {
      this.#unsubscribes.push(
        this.#connection.subscribe({
          destination: `/topic/run/${this.#runId}/${topic}`,
          fromSeq,
          onBody: (body) => this.#receive(parseEvent(body)),
        }),
      );
    }
    this.#pollTimer = setInterval(() => {
      if (this.#connection.state.get().name !== "live") void this.fill();
    }, OFFLINE_POLL_MS);
    this.#unsubscribes.push(this.#connection.state.subscribe(() => void this.fill()));
  }

  #receive(event: LiveEvent | null): void {
    if (!event || event.run_id !== this.#runId || !this.#tracker.add(event.run_seq)) return;
    if (event.run_seq > this.#baseline || event.type === "llmbench.run.logged.v1") this.#store.receive(event);
    if (event.run_seq > this.#baseline && changesAggregates(event)) {
      this.#figuresDue = Math.max(this.#figuresDue, event.run_seq);
      // A change of status refreshes soon: the final figures must not wait as long as those after an answer.
      this.#refresh.call(event.type === "llmbench.run.status_changed.v1" ? "soon" : undefined);
    }
    if (this.#tracker.hasGap) this.#gapTimer ??= setTimeout(() => this.#checkGap(), GAP_PATIENCE_MS);
  }

  #checkGap(): void {
    this.#gapTimer = undefined;
    if (this.#tracker.hasGap) void this.fill();
  }

  /** Fill gaps and read beyond the newest known number: no other source delivers events while offline. */
  async #fillOnce(): Promise<void> {
    try {
      for (;;) {
        const from = this.#tracker.watermark + 1;
        const page = await this.#reader.events(from);
        if (this.#stopped) return;
        for (const event of page.events) this.#receive(readEvent(event));
        this.#tracker.settle(Math.min(page.next_seq - 1, page.last_seq));
        this.#historyRead ||= this.#tracker.watermark >= this.#baseline;
        if (this.#tracker.watermark >= page.last_seq) return;
        // An empty page: the missing numbers do not exist.
        if (this.#tracker.watermark < from) return this.#tracker.settle(page.last_seq);
      }
    } catch {
      // The poll, the next event or the next connection asks again.
    }
  }

  async #readItems(): Promise<void> {
    let cursor: string | null = null;
    let loaded = 0;
    do {
      const at: string | null = cursor;
      const page: ItemPage | null = await this.#insist(() => this.#reader.items(at));
      if (!page) return;
      this.#store.loadItems(page.items, this.#baseline);
      loaded += page.items.length;
      this.#store.loading.set({ loaded });
      cursor = page.next_cursor;
    } while (cursor !== null);
    this.#store.loading.set(null);
  }

  /** Fetch aggregates and groups, which only the server computes. */
  async #reload(): Promise<void> {
    try {
      const run = await this.#reader.run();
      if (this.#stopped) return;
      this.#store.loadRun(run);
      this.#tracker.expect(run.last_seq);
      if (this.#tracker.hasGap) this.#gapTimer ??= setTimeout(() => this.#checkGap(), GAP_PATIENCE_MS);
      // The response may come from a request made before the event: refresh again.
      const isOlder = run.last_seq < this.#figuresDue;
      this.#figuresDue = 0;
      if (isOlder) this.#refresh.call("soon");
    } catch (error) {
      // No event follows the last one to trigger another refresh. A deleted run is not requested again.
      if (!this.#stopped && toProblem(error).status !== 404) this.#refresh.call();
    }
  }

  async #insist<T>(read: () => Promise<T>): Promise<T | null> {
    while (!this.#stopped) {
      try {
        const value: T | undefined = await read();
        // The cache dropped the response meanwhile: ask again.
        if (value !== undefined) return this.#stopped ? null : value;
      } catch {
        // Ask again after an error.
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return null;
  }
}

/** Ignore a failed early request: the same rows are read later in order. */
const nothing = () => undefined;

function changesAggregates(event: LiveEvent): boolean {
  if (event.type === "llmbench.run.item_changed.v1") return event.item.status !== "IN_PROGRESS";
  if (event.type === "llmbench.run.logged.v1") return event.kind === undefined || event.kind === "note";
  return event.type === "llmbench.run.status_changed.v1";
}
