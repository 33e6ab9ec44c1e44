/** The rows of a run: each is watched on its own; order and counts are recomputed at leisure. */

import type { ItemRow, ItemStatus } from "@/api/generated/orchestrator";
import { KeyedStore, ValueStore } from "./observable";

export interface ItemIndex {
  /** Ids by position. */
  readonly ids: readonly string[];
  readonly counts: Readonly<Record<ItemStatus, number>>;
}

const NO_COUNTS: Record<ItemStatus, number> = {
  NEW: 0,
  IN_PROGRESS: 0,
  WAITING_FOR_JUDGE: 0,
  JUDGING: 0,
  COMPLETED: 0,
  FAILED: 0,
};
const REINDEX_MS = 1000;

export class ItemTable {
  readonly rows = new KeyedStore<ItemRow>();
  /** Grows at once when rows arrive; follows changes of state once a second. */
  readonly index = new ValueStore<ItemIndex>({ ids: [], counts: NO_COUNTS });
  readonly #seqs = new Map<string, number>();
  #ids: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes a row unless a later event has already spoken of it. */
  put(row: ItemRow, seq: number): void {
    const known = this.#seqs.get(row.id);
    if (known !== undefined && known > seq) return;
    this.#seqs.set(row.id, seq);
    this.rows.set(row.id, row);
    this.#timer ??= setTimeout(this.reindex, REINDEX_MS);
  }

  readonly reindex = (): void => {
    this.stop();
    const counts = { ...NO_COUNTS };
    for (const row of this.rows.values()) counts[row.status] += 1;
    if (this.rows.size !== this.#ids.length) this.#ids = this.#byPosition();
    this.index.set({ ids: this.#ids, counts });
  };

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #byPosition(): string[] {
    const rows = [...this.rows.values()].toSorted((a, b) => a.position - b.position);
    return rows.map((row) => row.id);
  }
}
