import { useRef, useState } from "react";
import type { CaseGroups, ComparedCase, Comparison } from "@/api/generated/orchestrator";
import { Button } from "@/components/Button";
import { formatCount, plural } from "@/lib/format";
import { useShortcuts } from "@/lib/shortcuts";
import { GROUP_TITLES, inGroups, type Group } from "./groups";
import { ReviewCase } from "./ReviewCase";

interface Props {
  comparison: Comparison;
  /** The index of the reviewed column. */
  at: number;
  cases: readonly ComparedCase[];
  counts: CaseGroups;
  total: number;
  /** Loads more cases; undefined if there are none, or while they load. */
  onMore: (() => void) | undefined;
}

const TONES: Record<Group, string> = { worse: "text-bad", better: "text-good", equal: "text-ink-2", missing: "text-ink-3" };

/** Cases in groups, read from top to bottom like the files of a code review. */
export function ReviewList({ comparison, at, cases, counts, total, onMore }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (taskId: string) =>
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(taskId)) next.add(taskId);
      return next;
    });
  const heads = () => [...(list.current?.querySelectorAll<HTMLElement>("[data-review-case]") ?? [])];
  const step = (by: number) => {
    const all = heads();
    const now = all.findIndex((one) => one.closest("article")?.contains(document.activeElement));
    const next = all[now === -1 ? 0 : now + by];
    next?.focus({ preventScroll: true });
    next?.closest("article")?.scrollIntoView({ block: "nearest" });
    if (by > 0 && now + 3 >= all.length) onMore?.();
  };
  const current = () => heads().find((one) => one.closest("article")?.contains(document.activeElement))?.dataset.reviewCase;
  useShortcuts("Review", [
    { keys: ["j"], label: "Next case", run: () => step(1) },
    { keys: ["k"], label: "Previous case", run: () => step(-1) },
    {
      keys: ["d"],
      label: "Show what changed in the answers of the case",
      run: () => {
        const taskId = current() ?? cases[0]?.task_id;
        if (taskId !== undefined) toggle(taskId);
      },
    },
  ]);
  return (
    <div ref={list}>
      {inGroups(cases, at, counts).map(({ group, total: whole, cases: some }) => (
        <section key={group} aria-label={GROUP_TITLES[group]}>
          <h3 className="sticky top-0 z-10 flex items-baseline gap-2 border-b border-line bg-sunken px-4 py-1.5 text-xs">
            <span className={`font-semibold ${TONES[group]}`}>{GROUP_TITLES[group]}</span>
            <span className="text-ink-2">{plural(whole, "case")}{group === "missing" && ", not scored in both"}</span>
          </h3>
          <div className="divide-y divide-line">
            {some.map((one) => (
              <ReviewCase key={one.task_id} comparison={comparison} one={one} at={at} open={open.has(one.task_id)} onToggle={() => toggle(one.task_id)} />
            ))}
          </div>
        </section>
      ))}
      <footer className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2.5 text-xs text-ink-2">
        <span>{formatCount(cases.length)} of {plural(total, "case")} shown. <span className="hidden sm:inline">Keys: j and k move, d shows what changed, Enter opens the case.</span></span>
        {cases.length < total && <Button disabled={!onMore} onClick={onMore}>Show more cases</Button>}
      </footer>
    </div>
  );
}
