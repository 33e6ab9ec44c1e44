import type { RunSummary } from "@/api/generated/orchestrator";
import { formatCount, formatInterval, formatPercent } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { MOST_BARS, targetBars, type TargetBar } from "./target-bars";

const share = (value: number) => `${Math.min(1, Math.max(0, value)) * 100}%`;

/** The mean score of each target as a bar with its interval: the best few, then how many more. */
export function TargetBars({ run }: { run: Pick<RunSummary, "targets" | "target_scores"> }) {
  const bars = targetBars(run);
  const more = bars.length - MOST_BARS;
  return (
    <>
      <ul aria-label="Targets" className="flex flex-col gap-1">
        {bars.slice(0, more === 1 ? MOST_BARS + 1 : MOST_BARS).map((one) => <Bar key={one.id} of={one} />)}
      </ul>
      {more > 1 && <p className="mt-0.5 text-xs text-ink-2" title={bars.slice(MOST_BARS).map((one) => harmless(one.label)).join(", ")}>and {formatCount(more)} more</p>}
    </>
  );
}

/** The text says everything; the bar is decoration. */
function Bar({ of: { label, mean, interval } }: { of: TargetBar }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 sm:grid-cols-[minmax(0,1fr)_4.5rem_3.25rem]">
      <span className="truncate" title={harmless(label)}>{harmless(label)}</span>
      <span aria-hidden="true" className={`relative hidden h-2 rounded-sm sm:block ${mean === null ? "" : "bg-mute-soft"}`}>
        {mean !== null && <span className="absolute inset-y-0 left-0 rounded-sm bg-info-fill" style={{ width: share(mean) }} />}
        {interval && <span className="absolute top-1/2 h-1.5 -translate-y-1/2 border-x border-ink before:absolute before:inset-x-0 before:top-1/2 before:h-px before:bg-ink" style={{ left: share(interval.low), right: share(1 - interval.high) }} />}
      </span>
      <span className="text-right font-medium" title={interval ? `95% interval ${formatInterval(interval)}` : undefined}>
        {mean !== null && formatPercent(mean)}
        {interval && <span className="sr-only">, 95% interval {formatInterval(interval)}</span>}
      </span>
    </li>
  );
}
