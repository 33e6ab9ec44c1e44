/** How fast a phase goes and when it will be through, from what was seen lately. */

export interface Sample {
  /** Milliseconds since the epoch. */
  at: number;
  done: number;
}

export interface Pace {
  perMinute: number;
  /** Seconds until everything is done; null when nothing moves. */
  remainingS: number | null;
}

const WINDOW_MS = 120_000;
const MIN_SPAN_MS = 3000;

/** Adds a sample; forgets those before the window, but keeps one to measure from. */
export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  // Work that was taken back (a retry) or a clock that jumped starts a new measurement.
  if (last && (sample.done < last.done || sample.at < last.at)) return [sample];
  const recent = samples.filter((one) => one.at >= sample.at - WINDOW_MS);
  return [...recent, sample];
}

export function pace(samples: readonly Sample[], total: number): Pace | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < MIN_SPAN_MS || last.done === first.done) return null;
  const perMs = (last.done - first.done) / (last.at - first.at);
  return { perMinute: perMs * 60_000, remainingS: Math.max(0, total - last.done) / perMs / 1000 };
}
