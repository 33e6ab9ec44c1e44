/** The rows of a run. Each can be observed on its own; order and counts are recomputed once a second. */

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
  SKIPPED: 0,
};
const REINDEX_MS = 1000;
const byPosition = (a: ItemRow, b: ItemRow) => a.position - b.position;

export class ItemTable {
  readonly rows = new KeyedStore<ItemRow>();
  /** Grows at once when rows arrive; follows status changes once a second. */
  readonly index = new ValueStore<ItemIndex>({ ids: [], counts: NO_COUNTS });
  readonly #seqs = new Map<string, number>();
  readonly #counts = { ...NO_COUNTS };
  #ids: readonly string[] = [];
  #lastPosition = -1;
  #added: ItemRow[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Store a row unless a later event has already updated it. */
  put(row: ItemRow, seq: number): void {
    const known = this.#seqs.get(row.id);
    if (known !== undefined && known > seq) return;
    const before = this.rows.get(row.id);
    if (before) this.#counts[before.status] -= 1;
    else this.#added.push(row);
    this.#counts[row.status] += 1;
    this.#seqs.set(row.id, seq);
    this.rows.set(row.id, row);
    this.#timer ??= setTimeout(this.reindex, REINDEX_MS);
  }

  readonly reindex = (): void => {
    this.stop();
    if (this.#added.length > 0) this.#ids = this.#withAdded();
    this.index.set({ ids: this.#ids, counts: { ...this.#counts } });
  };

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Pages arrive by position: new rows follow existing ones, unless they came by an event or a filter. */
  #withAdded(): string[] {
    const added = this.#added.toSorted(byPosition);
    this.#added = [];
    const behind = (added[0]?.position ?? 0) > this.#lastPosition;
    const rows = behind ? added : [...this.rows.values()].toSorted(byPosition);
    this.#lastPosition = rows.at(-1)?.position ?? -1;
    const ids = rows.map((row) => row.id);
    return behind ? [...this.#ids, ...ids] : ids;
  }
}
