/** Watches items that are tried again, until the run is over: what became of them. */

import type { ItemRow, ItemStatus, RunStatus } from "@/api/generated/orchestrator";
import type { ItemTable } from "./item-table";
import { ValueStore } from "./observable";

export interface Retry {
  /** The failed rows at the request. */
  readonly before: readonly ItemRow[];
  /** The same items at the end of the run; null until then. */
  readonly after: readonly ItemRow[] | null;
}

export interface Outcome extends Retry {
  readonly after: readonly ItemRow[];
}

const SETTLED: ReadonlySet<ItemStatus> = new Set(["COMPLETED", "FAILED", "SKIPPED"]);

export class RetryWatch {
  readonly current = new ValueStore<Retry | null>(null);
  readonly #items: ItemTable;
  readonly #head: ValueStore<{ status: RunStatus; seq: number } | null>;
  #end: () => void = () => undefined;

  constructor(items: ItemTable, head: ValueStore<{ status: RunStatus; seq: number } | null>) {
    this.#items = items;
    this.#head = head;
  }

  /** Remember the failed rows among `ids`, or all, before the request is sent. The returned function starts the watch once the server has accepted it. */
  prepare(ids: readonly string[] = this.#items.index.get().ids): (onOver: (outcome: Outcome) => void) => void {
    const before = ids.flatMap((id) => this.#items.rows.get(id) ?? []).filter((row) => row.status === "FAILED");
    const seq = this.#head.get()?.seq ?? 0;
    return (onOver) => {
      if (before.length > 0) this.#begin(before, seq, onOver);
    };
  }

  #begin(before: readonly ItemRow[], seq: number, onOver: (outcome: Outcome) => void): void {
    this.#end();
    this.current.set({ before, after: null });
    const check = () => {
      const after = this.#rowsAfter(before, seq);
      if (!after) return;
      this.#end();
      this.current.set({ before, after });
      onOver({ before, after });
    };
    const unsubscribes = [this.#head.subscribe(check), this.#items.index.subscribe(check)];
    this.#end = () => unsubscribes.forEach((unsubscribe) => unsubscribe());
    check();
  }

  /** Return the rows once the run is over again and each has changed since; null before. Topics arrive interleaved, so both are needed. */
  #rowsAfter(before: readonly ItemRow[], seq: number): readonly ItemRow[] | null {
    const head = this.#head.get();
    if (!head || head.seq <= seq) return null;
    const rows = before.map((row) => this.#items.rows.get(row.id) ?? row);
    if (head.status === "CANCELLED") return rows;
    return head.status === "FINISHED" && rows.every((row, at) => row !== before[at] && SETTLED.has(row.status)) ? rows : null;
  }
}
