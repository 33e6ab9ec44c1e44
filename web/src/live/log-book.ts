/** A run's log in order of sequence. It is bounded: only the newest lines are kept. */

import type { LogEvent } from "./event-schemas";
import { ValueStore } from "./observable";

const CAPACITY = 10_000;

export class LogBook {
  /** A new array after every change, so that React sees it. */
  readonly lines = new ValueStore<readonly LogEvent[]>([]);
  readonly #capacity: number;

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /** Add new lines; most belong at the end. */
  add(added: readonly LogEvent[]): void {
    if (added.length === 0) return;
    const lines = [...this.lines.get()];
    for (const line of added) insert(lines, line);
    this.lines.set(lines.length > this.#capacity ? lines.slice(-this.#capacity) : lines);
  }
}

function insert(lines: LogEvent[], line: LogEvent): void {
  let at = lines.length;
  while (at > 0 && lines[at - 1]!.run_seq > line.run_seq) at -= 1;
  lines.splice(at, 0, line);
}
