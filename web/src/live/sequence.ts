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

  /** False when the number was seen before. */
  add(seq: number): boolean {
    if (seq <= this.#watermark || this.#early.has(seq)) return false;
    this.#early.add(seq);
    this.expect(seq);
    this.#advance();
    return true;
  }

  /** The server says that numbers up to `seq` exist. */
  expect(seq: number): void {
    this.#highest = Math.max(this.#highest, seq);
  }

  /** Everything up to `seq` has been read, whether or not each number had an event. */
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
