import type { DueTime } from "@/api/generated/orchestrator";
import { localText, offsetOf } from "./schedule-words";

/** The next times of a schedule, as the clocks of its zone show them. */
export function NextTimes({ times }: { times: readonly DueTime[] }) {
  return (
    <ol className="flex flex-col gap-1">
      {times.map(({ at, local }) => (
        <li key={at} className="flex flex-wrap items-baseline gap-x-2">
          <time dateTime={at}>{localText(local)}</time>
          <span className="text-xs text-ink-3">{offsetOf(local)}</span>
        </li>
      ))}
    </ol>
  );
}
