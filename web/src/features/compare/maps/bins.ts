/** Bins of scores: twentieths of the scale, as the API counts them. */

import { formatPercent } from "@/lib/format";

const BINS = 20;

/** Describe a bin such as `13:20` in words. */
export function binWords(bin: string): string {
  const [baseline, here] = bin.split(":").map((one) => Number(one) / BINS);
  return `about ${formatPercent(baseline)} → ${formatPercent(here)}`;
}

/** Return the radius of a mark: its area is in proportion to its cases, and the smallest is still seen and hit. */
export function radius(cases: number, most: number, largest = 15): number {
  return most === 0 ? 0 : Math.max(4, largest * Math.sqrt(cases / most));
}
