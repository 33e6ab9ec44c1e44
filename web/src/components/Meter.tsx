import { formatPercent, MISSING } from "@/lib/format";

/** A figure between 0 and 1 with a thin bar: the number carries the meaning, the bar is decoration. */
export function Meter({ value }: { value: number | null }) {
  if (value === null) return MISSING;
  return (
    <span className="inline-flex items-center justify-end gap-2">
      <span aria-hidden="true" className="hidden h-1.5 w-14 overflow-hidden rounded-full bg-mute-soft sm:block">
        <span className="block h-full rounded-full bg-info-fill" style={{ width: `${value * 100}%` }} />
      </span>
      <span className="min-w-14 text-right">{formatPercent(value)}</span>
    </span>
  );
}
