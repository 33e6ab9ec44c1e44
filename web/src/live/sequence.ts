/**
 * Track the sequence numbers of a run: drop duplicates and find gaps. Four topics share one numbering and arrive
 * interleaved, so numbers come out of order. All numbers up to `watermark` are settled; later ones that arrived early
 * are kept individually.
 */
export class SequenceTracker {
  #watermark: number;
  #highest: number;
  readonly #early = new Set<number>();

  constructor(watermark = 0) {
    this.#watermark = watermark;
    this.#highest = watermark;
  }

  /** The last number before the first gap. */
  get watermark(): number {
    return this.#watermark;
  }

  get highest(): number {
    return this.#highest;
  }

  get hasGap(): boolean {
    return this.#highest > this.#watermark;
  }

  /** Return false if the number was seen before. */
  add(seq: number): boolean {
    if (seq <= this.#watermark || this.#early.has(seq)) return false;
    this.#early.add(seq);
    this.expect(seq);
    this.#advance();
    return true;
  }

  /** Note that numbers up to `seq` exist on the server. */
  expect(seq: number): void {
    this.#highest = Math.max(this.#highest, seq);
  }

  /** Note that all events up to `seq` have been read. */
  settle(seq: number): void {
    if (seq <= this.#watermark) return;
    this.#watermark = seq;
    this.expect(seq);
    for (const early of this.#early) if (early <= seq) this.#early.delete(early);
    this.#advance();
  }

  #advance(): void {
    while (this.#early.delete(this.#watermark + 1)) this.#watermark += 1;
  }
}
