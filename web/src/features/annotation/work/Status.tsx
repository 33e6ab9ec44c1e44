import type { NextItem } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { Icon } from "@/components/Icon";
import { ProblemNote } from "@/components/Problem";
import { ProgressBar } from "@/components/ProgressBar";
import { formatClock, formatCount, formatDuration, plural } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { toProblem } from "@/lib/problem";
import type { DraftState, Work } from "./useWork";

const DRAFTS: Readonly<Record<DraftState, string>> = {
  none: "",
  changed: "Saving…",
  saved: "Draft saved",
  lost: "",
  away: "Kept in this window",
};

/** The progress of the person, the state of the draft, and the end of the lease. */
export function StatusLine({ item, work, isPaused, onPause }: { item: NextItem; work: Work; isPaused: boolean; onPause: () => void }) {
  const done = item.position - 1;
  const total = done + item.total_remaining;
  const now = useNow(true);
  const left = work.heldUntil === null ? null : Math.floor((Date.parse(work.heldUntil) - now) / 1000);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div className="min-w-40 flex-1"><ProgressBar label="Your items" done={done} total={total} segments={[{ name: "labelled", value: done, tone: "good" }]} /></div>
      <p className="text-xs text-ink-2">
        <span className="font-medium text-ink">Item {formatCount(item.position)}</span>, {plural(item.total_remaining, "item")} left
      </p>
      <p role="status" className="min-w-24 text-xs text-ink-3">{DRAFTS[work.draft]}</p>
      {left !== null && work.draft !== "lost" && (
        <p className={`text-xs ${left < 60 ? "text-warn" : "text-ink-3"}`}>
          {item.time_limit_seconds !== null && left >= 0 ? `${formatDuration(left)} left` : left < 0 ? "Its time has passed" : `Reserved until ${formatClock(work.heldUntil)}`}
        </p>
      )}
      <IconButton icon={isPaused ? "play" : "pause"} label={isPaused ? "Go on (p)" : "Pause (p)"} onClick={onPause} />
    </div>
  );
}

/** Notices about the last item, and errors about this one. */
export function Notices({ work }: { work: Work }) {
  const { error, notice, draft } = work;
  const status = error === undefined ? null : toProblem(error).status;
  return (
    <>
      {notice !== null && <p role="status" className="flex items-start gap-2 rounded-md bg-info-soft px-3 py-2 text-info"><Icon name="dot" className="mt-0.5" />{notice}</p>}
      {draft === "lost" && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-warn-soft px-3 py-2 text-warn">
          <p>This item is no longer reserved for you. You can still submit your labels: they count if the item needs more.</p>
          <Button onClick={() => void work.load()}>Take another item</Button>
        </div>
      )}
      {draft === "away" && error === undefined && <p role="alert" className="rounded-md bg-warn-soft px-3 py-2 text-warn">The server does not answer. Your labels are kept in this window, and are saved as soon as it answers again.</p>}
      {error !== undefined && (
        <div className="flex flex-col gap-2">
          <ProblemNote error={error} />
          {(status === 409 || status === 404) && <Button className="self-start" onClick={() => void work.load()}>Take another item</Button>}
          {status === null && <p className="text-xs text-ink-2">Your labels are kept in this window. Submit them again once the server answers.</p>}
        </div>
      )}
    </>
  );
}
