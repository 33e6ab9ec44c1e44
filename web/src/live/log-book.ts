/**
 * A run's log in order of sequence. It is bounded: only the newest lines are kept. Earlier lines that the reader asks
 * for raise the bound.
 */

import type { LogEvent } from "./event-schemas";
import { ValueStore } from "./observable";

const CAPACITY = 10_000;

export class LogBook {
  /** A new array after every change, so that React sees it. */
  readonly lines = new ValueStore<readonly LogEvent[]>([]);
  #capacity: number;

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /** Add new lines; most belong at the end. Return whether the oldest lines were dropped. */
  add(added: readonly LogEvent[]): boolean {
    if (added.length === 0) return false;
    const lines = [...this.lines.get()];
    for (const line of added) insert(lines, line);
    const isFull = lines.length > this.#capacity;
    this.lines.set(isFull ? lines.slice(-this.#capacity) : lines);
    return isFull;
  }

  /** Add the lines before the first one, in order, and keep them all. */
  prepend(earlier: readonly LogEvent[]): void {
    const lines = [...earlier, ...this.lines.get()];
    this.#capacity = Math.max(this.#capacity, lines.length);
    this.lines.set(lines);
  }
}

function insert(lines: LogEvent[], line: LogEvent): void {
  let at = lines.length;
  while (at > 0 && lines[at - 1]!.run_seq > line.run_seq) at -= 1;
  lines.splice(at, 0, line);
}
