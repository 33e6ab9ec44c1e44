/** The ramp of scores: ten colours, each for a tenth of the scale. */

/** Tailwind finds only class names that are written out. */
export const HEAT_STEPS = ["heat-0", "heat-1", "heat-2", "heat-3", "heat-4", "heat-5", "heat-6", "heat-7", "heat-8", "heat-9"] as const;

/** Return the step (0…9) of a score in the ramp. */
export function heatStep(score: number): number {
  return Math.min(9, Math.max(0, Math.floor(score * 10 + 1e-9)));
}

/** Return the class of a score's colour. */
export const heatClass = (score: number) => HEAT_STEPS[heatStep(score)] ?? "heat-0";

/** Return how far scores lie apart: the highest minus the lowest. Null with fewer than two. */
export function spreadOf(scores: readonly (number | null)[]): number | null {
  const known = scores.filter((one) => one !== null);
  return known.length < 2 ? null : Math.max(...known) - Math.min(...known);
}

/** Order by disagreement: the largest spread first, what has none last, and then by name. */
export const bySpread = (a: { spread: number | null; name: string }, b: { spread: number | null; name: string }) => (b.spread ?? -1) - (a.spread ?? -1) || a.name.localeCompare(b.name);
