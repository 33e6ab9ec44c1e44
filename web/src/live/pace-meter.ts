/** The pace of the phase a run is in, measured on progress events and the server's own clock. */

import { addSample, pace, type Pace, type Sample } from "@/lib/rate";
import type { ProgressEvent } from "./event-schemas";
import { ValueStore } from "./observable";

export class PaceMeter {
  readonly current = new ValueStore<Pace | null>(null);
  #phase: ProgressEvent["phase"] | null = null;
  #samples: Sample[] = [];

  measure(progress: Pick<ProgressEvent, "at" | "phase" | "items" | "answered" | "judged" | "failed">): void {
    if (progress.phase !== this.#phase) this.reset();
    this.#phase = progress.phase;
    const through = progress.phase === "BENCHMARKING" ? progress.answered : progress.judged;
    const done = through + progress.failed;
    this.#samples = addSample(this.#samples, { at: Date.parse(progress.at), done });
    this.current.set(pace(this.#samples, progress.items));
  }

  /** A pause would count as slowness. */
  reset(): void {
    this.#samples = [];
    this.current.set(null);
  }
}
