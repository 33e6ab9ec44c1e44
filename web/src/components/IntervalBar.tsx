import { formatInterval, formatPercent, formatShare, MISSING } from "@/lib/format";
import { placeOn, type Axis, type Span } from "./charts/axis";

interface Props {
  value: number | null;
  interval: Span | null;
  /** The axis of its column. By default the bar spans the entire scale. */
  axis?: Axis;
}

const SCALE: Span = { low: 0, high: 1 };

/** A figure between 0 and 1 with its interval: the numbers carry the meaning, the bar is decoration. */
export function IntervalBar({ value, interval, axis }: Props) {
  if (value === null) return MISSING;
  const percent = (share: number) => `${placeOn(axis ?? SCALE, share) * 100}%`;
  return (
    <span className="inline-flex items-center justify-end gap-2">
      <span aria-hidden="true" className="relative hidden h-2.5 w-16 rounded-full bg-mute-soft sm:block">
        {axis?.ticks.slice(1, -1).map((tick) => <span key={tick} className="absolute inset-y-0 w-px bg-line-strong" style={{ left: percent(tick) }} />)}
        {interval && <span className="absolute inset-y-0.5 rounded-full bg-info-fill/60" style={{ left: percent(interval.low), width: `${(placeOn(axis ?? SCALE, interval.high) - placeOn(axis ?? SCALE, interval.low)) * 100}%` }} />}
        <span className="absolute -inset-y-0.5 w-0.5 -translate-x-1/2 rounded-full bg-ink" style={{ left: percent(value) }} />
      </span>
      <span className="w-19 text-right">
        <span className="font-medium">{formatPercent(value)}</span>
        {interval && <span className="block text-xs font-normal whitespace-nowrap text-ink-3">{formatInterval(interval)}</span>}
      </span>
    </span>
  );
}

/** The ends of a column's axis, above its bars. */
export function AxisEnds({ axis }: { axis: Axis }) {
  return (
    <span className="hidden items-center justify-end gap-2 text-2xs font-normal text-ink-3 sm:flex" title={`The bars of this column span ${formatShare(axis.low)} to ${formatShare(axis.high)}`}>
      <span className="flex w-16 justify-between"><span>{formatShare(axis.low)}</span><span>{formatShare(axis.high)}</span></span>
      <span className="w-19" />
    </span>
  );
}
