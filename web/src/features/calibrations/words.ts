/** Figures of calibrations in words. */

import type { CalibrationSummary, MeasureOut } from "@/api/generated/orchestrator";
import { formatFixed, formatInterval, formatPercent, MISSING } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

const signed = (value: number) => formatFixed(value, 2);

/** A coefficient from −1 to 1, or a difference of labels. */
export const formatCoefficient = (value: number | null | undefined): string => (value == null ? MISSING : signed(value));

export const formatBias = (value: number | null | undefined): string => (value == null ? MISSING : value > 0 ? `+${signed(value)}` : signed(value));

export function intervalOf({ low, high }: { low: number | null; high: number | null }, asPercent = false): string {
  if (low === null || high === null) return "";
  return asPercent ? formatInterval({ low: Math.max(0, low), high: Math.min(1, high) }) : `${signed(low)} to ${signed(high)}`;
}

export const formatMeasure = (one: MeasureOut, asPercent: boolean): string => (asPercent ? formatPercent(one.value) : formatCoefficient(one.value));

/** The judge by the name of its evaluator and its model. */
export const judgeName = ({ title, judge_model: model }: CalibrationSummary["judge"]): string => (model === null ? harmless(title) : `${harmless(title)} by ${harmless(model)}`);
