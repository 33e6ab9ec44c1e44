import { formatInterval, formatPercent, MISSING } from "@/lib/format";

interface Props {
  value: number | null;
  interval: { low: number; high: number } | null;
}

const percent = (share: number) => `${Math.min(1, Math.max(0, share)) * 100}%`;

/** A figure between 0 and 1 with its interval: the numbers carry the meaning, the bar is decoration. */
export function IntervalBar({ value, interval }: Props) {
  if (value === null) return MISSING;
  return (
    <span className="inline-flex items-center justify-end gap-2">
      <span aria-hidden="true" className="relative hidden h-2.5 w-14 rounded-full bg-mute-soft sm:block">
        {interval && <span className="absolute inset-y-0.5 rounded-full bg-info-fill/60" style={{ left: percent(interval.low), right: percent(1 - interval.high) }} />}
        <span className="absolute -inset-y-0.5 w-0.5 -translate-x-1/2 rounded-full bg-ink" style={{ left: percent(value) }} />
      </span>
      <span className="min-w-14 text-right">
        <span className="font-medium">{formatPercent(value)}</span>
        {interval && <span className="block text-xs font-normal text-ink-3">{formatInterval(interval)}</span>}
      </span>
    </span>
  );
}
