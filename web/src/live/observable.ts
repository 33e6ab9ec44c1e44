/** Stores outside React, read through useSyncExternalStore. */

export type Unsubscribe = () => void;

/** A single value; listeners are called only when it changes. */
export class ValueStore<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(initial: T) {
    this.#value = initial;
  }

  readonly get = (): T => this.#value;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): Unsubscribe => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** Many values by key; a change notifies only the listeners of its key. */
export class KeyedStore<T> {
  readonly #values = new Map<string, T>();
  readonly #listeners = new Map<string, Set<() => void>>();

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  get size(): number {
    return this.#values.size;
  }

  values(): Iterable<T> {
    return this.#values.values();
  }

  set(key: string, value: T): void {
    this.#values.set(key, value);
    for (const listener of this.#listeners.get(key) ?? []) listener();
  }

  subscribe(key: string, listener: () => void): Unsubscribe {
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }
}
