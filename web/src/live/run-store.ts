/** The client-side state of one run, outside React. Events are buffered and applied once a frame. */

import type { ItemRow, RunDetail } from "@/api/generated/orchestrator";
import type { LiveEvent, LogEvent, ProgressEvent, StatusEvent } from "./event-schemas";
import { frameBatch, type FrameBatch } from "./frame";
import { ItemTable } from "./item-table";
import { LogBook } from "./log-book";
import { PaceMeter } from "./pace-meter";
import { ValueStore } from "./observable";
import { RetryWatch } from "./retry-watch";

export type RunHead = Pick<StatusEvent, "status" | "phase" | "outcome" | "reason" | "gate"> & { seq: number };
export type RunProgress = Pick<ProgressEvent, "phase" | "items" | "answered" | "judged" | "failed" | "skipped" | "current" | "others"> & {
  seq: number;
  at: string;
};

export class RunStore {
  readonly items = new ItemTable();
  readonly log = new LogBook();
  readonly head = new ValueStore<RunHead | null>(null);
  readonly progress = new ValueStore<RunProgress | null>(null);
  readonly pace = new PaceMeter();
  readonly retry = new RetryWatch(this.items, this.head);
  /** The number of rows loaded during the initial read; null once it is complete. */
  readonly loading = new ValueStore<{ loaded: number } | null>({ loaded: 0 });
  /** The first sequence number with its log lines loaded; 1 when the log is complete. */
  readonly logStart = new ValueStore(1);
  #pending: LiveEvent[] = [];
  readonly #batch: FrameBatch;

  constructor(batch: (flush: () => void) => FrameBatch = frameBatch) {
    this.#batch = batch(() => this.#flush());
  }

  /** Load the server's snapshot of the run, valid as of its `last_seq`. */
  loadRun(run: RunDetail): void {
    const seq = run.last_seq;
    this.#setHead({ seq, status: run.status, phase: run.phase, outcome: run.outcome, reason: run.status_reason, gate: run.gate });
    const { items, answered, judged, failed, skipped } = run.counts;
    const { phase, current, others } = run;
    if (run.status === "RUNNING") this.pace.measure(run.groups, Date.now(), run.reopened_at === null);
    this.#setProgress({ seq, at: new Date().toISOString(), phase, items, answered, judged, failed, skipped, current, others });
  }

  loadItems(rows: readonly ItemRow[], seq: number): void {
    for (const row of rows) this.items.put(row, seq);
    this.items.reindex();
  }

  /** Add the lines that were read from `start` to `end`. Return false if the log no longer begins at `end`. */
  loadEarlierLog(lines: readonly LogEvent[], start: number, end: number): boolean {
    if (this.logStart.get() !== end) return false;
    this.log.prepend(lines);
    this.logStart.set(start);
    return true;
  }

  receive(event: LiveEvent): void {
    this.#pending.push(event);
    this.#batch.request();
  }

  stop(): void {
    this.#batch.cancel();
    this.items.stop();
  }

  #flush(): void {
    const events = this.#pending;
    this.#pending = [];
    const lines: LogEvent[] = [];
    for (const event of events) {
      switch (event.type) {
        case "llmbench.run.item_changed.v1":
          this.items.put(event.item, event.run_seq);
          break;
        case "llmbench.run.logged.v1":
          lines.push(event);
          break;
        case "llmbench.run.status_changed.v1":
          this.#setHead({ ...event, seq: event.run_seq });
          if (event.status !== "RUNNING") this.pace.reset();
          break;
        case "llmbench.run.progressed.v1":
          this.#setProgress({ ...event, seq: event.run_seq });
          break;
      }
    }
    // Dropped lines are earlier lines again, which can be loaded.
    if (this.log.add(lines)) this.logStart.set(this.log.lines.get()[0]?.run_seq ?? 1);
  }

  #setHead(head: RunHead): void {
    if (head.seq >= (this.head.get()?.seq ?? 0)) this.head.set(head);
  }

  #setProgress(progress: RunProgress): void {
    if (progress.seq >= (this.progress.get()?.seq ?? 0)) this.progress.set(progress);
  }
}
