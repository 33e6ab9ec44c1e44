/** The excerpts of the rows on screen: fetched in batches for the rows that show one, and again when their state changes. */

import { createContext } from "react";
import type { ItemExcerpt } from "@/api/generated/orchestrator";
import { KeyedStore } from "@/live/observable";

/** The server's maximum of a request. */
const MOST_IDS = 100;
const FIRST_MS = 20;
/** A live run changes many rows a second. */
const BETWEEN_MS = 500;

export type ReadExcerpts = (ids: string[]) => Promise<ItemExcerpt[]>;

export class Excerpts {
  readonly rows = new KeyedStore<ItemExcerpt>();
  readonly #read: ReadExcerpts;
  /** The state of the row when its excerpt was fetched. */
  readonly #states = new Map<string, string>();
  readonly #wanted = new Map<string, string>();
  #isTimed = false;
  #lastAt = -BETWEEN_MS;

  constructor(read: ReadExcerpts) {
    this.#read = read;
  }

  /** Fetch the excerpt of a row in this state soon, unless it is here. Return a function that withdraws the wish. */
  want(id: string, state: string): () => void {
    if (this.#states.get(id) !== state) {
      this.#wanted.set(id, state);
      this.#fetchIn(Math.max(FIRST_MS, this.#lastAt + BETWEEN_MS - performance.now()));
    }
    return () => void this.#wanted.delete(id);
  }

  #fetchIn(ms: number): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    setTimeout(this.#fetch, ms);
  }

  readonly #fetch = (): void => {
    this.#isTimed = false;
    this.#lastAt = performance.now();
    const batch = [...this.#wanted].slice(0, MOST_IDS);
    for (const [id, state] of batch) {
      this.#wanted.delete(id);
      this.#states.set(id, state);
    }
    if (batch.length === 0) return;
    if (this.#wanted.size > 0) this.#fetchIn(FIRST_MS);
    this.#read(batch.map(([id]) => id)).then(
      (excerpts) => {
        for (const one of excerpts) this.rows.set(one.id, one);
      },
      () => {
        for (const [id] of batch) this.#states.delete(id);
      },
    );
  };
}

export const ExcerptsContext = createContext<Excerpts | null>(null);
