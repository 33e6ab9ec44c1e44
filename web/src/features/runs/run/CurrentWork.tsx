import { Link } from "react-router";
import type { CurrentWork as Current, RunStatus, RunSummary } from "@/api/generated/orchestrator";
import { Icon } from "@/components/Icon";
import { formatClock, formatDuration, MISSING } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useNow } from "@/lib/use-now";
import { OPENS_ITEM, useItemHref } from "../item/item-url";
import { turnText } from "../queue-words";
import { GROUP_LOOKS, isOver } from "../run-words";

const IDLE: Partial<Record<RunStatus, string>> = {
  PENDING: "Is about to start.",
  RUNNING: "Between two calls.",
  PAUSING: "Finishing the calls in flight.",
  PAUSED: "Paused: no call is in flight.",
};
const ROW = "mt-3 flex min-h-10 flex-wrap items-center gap-x-6 gap-y-2 border-t border-line pt-3";

/** The current work of a run, a row for each model at work. A row stays until the run is over, so that the layout does
 * not jump. */
export function CurrentWork({ at, status, queue }: { at: readonly Current[]; status: RunStatus; queue: RunSummary["queue"] }) {
  if (isOver(status)) return null;
  if (status === "QUEUED") return <div className={`${ROW} text-ink-2`}>{turnText(queue)}</div>;
  if (at.length === 0 || status !== "RUNNING") return <div className={`${ROW} text-ink-2`}>{IDLE[status]}</div>;
  if (at.length === 1) return <div className={ROW}>{at.map((one) => <Work key={one.group_id} current={one} />)}</div>;
  return (
    <ul aria-label="Models at work" className="mt-3 divide-y divide-line border-t border-line">
      {at.map((one) => (
        <li key={one.group_id} className="flex min-h-10 flex-wrap items-center gap-x-6 gap-y-1 py-1.5">
          <Work current={one} />
        </li>
      ))}
    </ul>
  );
}

function Work({ current }: { current: Current }) {
  const itemHref = useItemHref();
  return (
    <>
      <Fact name="Model" value={current.model} />
      <Fact name="Target" value={current.target_label ?? MISSING} />
      <div className="flex gap-1.5">
        <span className="text-ink-3">Task</span>
        {current.item_id && current.task_id ? (
          <Link to={itemHref(current.item_id)} state={OPENS_ITEM} preventScrollReset className="font-medium text-accent hover:underline">
            {harmless(current.task_id)}
          </Link>
        ) : (
          <span className="text-ink-2">{current.group_status === "OPEN" ? MISSING : GROUP_LOOKS[current.group_status].label}</span>
        )}
      </div>
      {current.backoff_until && <BackOff until={current.backoff_until} reason={current.backoff_reason ?? null} />}
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex min-w-0 gap-1.5">
      <span className="text-ink-3">{name}</span>
      <span className="font-medium wrap-anywhere">{harmless(value)}</span>
    </div>
  );
}

export function BackOff({ until, reason }: { until: string; reason: string | null }) {
  const left = (Date.parse(until) - useNow(true)) / 1000;
  if (left <= 0) return null;
  return (
    <p className="flex items-center gap-1.5 rounded-md bg-warn-soft px-2 py-1 text-xs text-warn">
      <Icon name="clock" className="size-3.5" />
      <span>
        Backing off until {formatClock(until)} (in {formatDuration(left)}){reason && `: ${harmless(reason)}`}
      </span>
    </p>
  );
}
