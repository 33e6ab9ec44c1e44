/** Axes with round ticks. */

export interface Span {
  low: number;
  high: number;
}

export interface Axis extends Span {
  /** Round values from `low` to `high`, both included. */
  ticks: number[];
}

/** The parts into which an axis is divided at most. */
const MOST_PARTS = 5;

/** Return the round step (1, 2, 2.5 or 5 times a power of ten) with which an axis of this length has a few parts. */
function stepOf(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length / MOST_PARTS));
  return power * ([1, 2, 2.5, 5, 10].find((one) => one * power * MOST_PARTS >= length * (1 - 1e-9)) ?? 10);
}

/** Return the common axis of figures and their intervals, zoomed to them. It stays within `within`, and is never empty. */
export function zoomedAxis(figures: readonly { value: number | null; interval: Span | null }[], within: Span = { low: 0, high: 1 }): Axis {
  const ends = figures.flatMap(({ value, interval }) => [value, interval?.low, interval?.high]).filter((one) => one != null && Number.isFinite(one)) as number[];
  if (ends.length === 0) return axisFrom(Number.isFinite(within.low) ? within.low : 0, Number.isFinite(within.high) ? within.high : 1);
  const [least, most] = [Math.max(within.low, Math.min(...ends)), Math.min(within.high, Math.max(...ends))];
  // A hair's breadth is drawn as a twentieth, so that equal figures do not look far apart.
  const pad = Math.max(0, 0.05 - (most - least)) / 2;
  return axisFrom(Math.max(within.low, least - pad), Math.min(within.high, most + pad));
}

function axisFrom(low: number, high: number): Axis {
  let step = stepOf(high - low);
  // Rounding outwards may add a part on either side: then the next larger step is taken.
  if (parts(low, high, step).count > MOST_PARTS) step = stepOf((high - low) * 1.5);
  const { first, count } = parts(low, high, step);
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
  return { low: ticks[0] ?? low, high: ticks.at(-1) ?? high, ticks };
}

function parts(low: number, high: number, step: number) {
  const first = Math.floor(low / step + 1e-9);
  return { first, count: Math.max(1, Math.ceil(high / step - 1e-9) - first) };
}

/** Return where a value lies on an axis, from 0 to 1. */
export const placeOn = ({ low, high }: Span, value: number) => Math.min(1, Math.max(0, (value - low) / (high - low)));

/** Return every how many-th label of ticks is drawn, so that labels do not touch. `apart` is the distance of two ticks in pixels. */
export function labelStep(labels: readonly string[], apart: number): number {
  // The last label ends at its tick: it reaches by half of its width further to the one before.
  const wide = 1.5 * CHARACTER_PX * Math.max(1, ...labels.map((one) => Array.from(one).length)) + 8;
  return Math.max(1, Math.ceil(wide / apart));
}

/** Return a scale from 0 to a round figure above the largest value, with at most five ticks. */
export function niceTicks(largest: number): number[] {
  if (!(largest > 0)) return [0, 1];
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10);
  const ticks = [0];
  while ((ticks.at(-1) ?? 0) < largest) ticks.push(ticks.length * step);
  return ticks;
}

/** Return ticks for counts: whole numbers only, from 0 to at least the largest. */
export const countTicks = (largest: number) => [...new Set(niceTicks(largest).map(Math.ceil))];

/** Return 1, 2 and 5 times each power of ten (or only the powers) from the last at most `least` to the first at least `largest`. */
function logSteps(least: number, largest: number, isCoarse: boolean): number[] {
  const power = Math.floor(Math.log10(least));
  const steps = isCoarse ? [1] : [1, 2, 5];
  const all = Array.from({ length: Math.ceil(Math.log10(largest)) - power + 2 }, (_, index) => steps.map((step) => rounded(step * 10 ** (power + index)))).flat();
  const first = all.findLastIndex((tick) => tick <= least * (1 + 1e-9));
  const last = all.findIndex((tick, index) => index > first && tick >= largest * (1 - 1e-9));
  return all.slice(Math.max(0, first), last + 1);
}

const rounded = (value: number) => Number(value.toPrecision(12));

/** A logarithmic axis over fewer powers of ten than this also has ticks at 2 and 5 times a power. */
const FEW_POWERS = 2;

/** Return round ticks of a logarithmic axis around a range: the axis begins with the first and ends with the last. */
export const logTicks = (least: number, largest: number) => logSteps(least, largest, Math.log10(largest / least) >= FEW_POWERS);

/** Return round ticks within a range, for a logarithmic axis whose ends are given. */
export function logTicksWithin({ low, high }: Span): number[] {
  const inside = (isCoarse: boolean) => logSteps(low, high, isCoarse).filter((tick) => tick >= low && tick <= high);
  const ticks = inside(false);
  if (ticks.length > MOST_PARTS + 1) return inside(true);
  if (ticks.length > 1) return ticks;
  // The range is a factor of less than five, which is nearly linear: then multiples of a round step fit.
  const step = stepOf(high - low);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, index) => rounded((first + index) * step));
}

/** The width of a character of small text in a chart, in pixels: an estimate, since SVG does not cut text. */
const CHARACTER_PX = 6.2;

/** The same for names of rows: they are larger, and have few spaces. */
export const NAME_CHARACTER_PX = 7.4;

/** Return whether a label is drawn uncut in a width in pixels. */
export const fits = (text: string, px: number, characterPx = CHARACTER_PX) => cut(text, px, characterPx) === text;

/** Cut a label to a width in pixels. */
export function cut(text: string, px: number, characterPx = CHARACTER_PX): string {
  const most = Math.max(1, Math.floor(px / characterPx));
  const letters = Array.from(text);
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}
