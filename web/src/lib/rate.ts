/** Measure a rate over recent samples. */

export interface Sample {
  /** Milliseconds since the epoch. */
  at: number;
  done: number;
}

export interface Pace {
  perMinute: number;
  /** The number of completed units during the measurement: more make it more reliable. */
  counted: number;
}

const WINDOW_MS = 120_000;
const MIN_SPAN_MS = 3000;

/** Add a sample and drop those before the window. */
export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  // A retry or a jump of the clock starts a new measurement.
  if (last && (sample.done < last.done || sample.at < last.at)) return [sample];
  const recent = samples.filter((one) => one.at >= sample.at - WINDOW_MS);
  return [...recent, sample];
}

export function pace(samples: readonly Sample[]): Pace | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < MIN_SPAN_MS || last.done === first.done) return null;
  const perMs = (last.done - first.done) / (last.at - first.at);
  return { perMinute: perMs * 60_000, counted: last.done - first.done };
}
