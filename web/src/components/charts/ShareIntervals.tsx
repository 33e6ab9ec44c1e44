import type { ReactNode } from "react";
import { formatInterval, formatPercent, formatShare } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { zoomedAxis, type Span } from "./axis";
import { ChartFrame } from "./ChartFrame";
import type { CsvValue } from "./csv";
import { IntervalPlot } from "./IntervalPlot";

export interface Share {
  key: string;
  label: string;
  /** A figure from 0 to 1. */
  value: number | null;
  interval: Span | null;
  /** The address of its items. */
  to: string;
  /** Further columns of the CSV file. */
  more?: readonly CsvValue[];
}

interface Props {
  /** The accessible name of the chart. */
  label: string;
  /** The name of its files. */
  name: string;
  /** The beginning of the caption. */
  about: string;
  /** The head of the CSV file. */
  head: readonly string[];
  shares: readonly Share[];
  className: string;
  /** The content in place of the chart if no share has a value. */
  none: ReactNode;
}

/** Shares with their 95% intervals on one common axis. A mark opens its items. */
export function ShareIntervals({ label, name, about, head, shares, className, none }: Props) {
  const rows = shares.flatMap(({ value, ...one }) => (value === null ? [] : [{ ...one, value, label: harmless(one.label), words: `${formatPercent(value)} ${formatInterval(one.interval)}` }]));
  if (rows.length === 0) return none;
  const axis = zoomedAxis(rows);
  return (
    <ChartFrame
      className={className}
      name={name}
      caption={`${about} on an axis from ${formatShare(axis.low)} to ${formatShare(axis.high)}. A mark opens its items.`}
      rows={() => [head, ...shares.map((one) => [harmless(one.label), one.value, one.interval?.low ?? null, one.interval?.high ?? null, ...(one.more ?? [])])]}
    >
      <IntervalPlot label={label} rows={rows} axis={axis} format={formatShare} />
    </ChartFrame>
  );
}
