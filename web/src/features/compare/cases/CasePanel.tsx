import { lazy, Suspense, useEffect, useEffectEvent } from "react";
import type { ComparedCase, Comparison } from "@/api/generated/orchestrator";
import { IconButton } from "@/components/Button";
import { SidePanel } from "@/components/Dialog";
import { Icon } from "@/components/Icon";
import { PlainText } from "@/components/PlainText";
import { formatCount } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useShortcuts } from "@/lib/shortcuts";
import { useUrlParam } from "@/lib/url-state";
import { loadCode } from "@/live/reach";

const AnswerColumns = lazy(() => loadCode(async () => ({ default: (await import("./AnswerColumns")).AnswerColumns })));
const CaseReferences = lazy(() => loadCode(() => import("./CaseReferences")));

interface Props {
  comparison: Comparison;
  /** The cases in the order of the list, which previous and next follow. */
  cases: readonly ComparedCase[];
  total: number;
  /** Called at the end of `cases` if there are more. */
  onEnd: (() => void) | undefined;
}

/** An open case: the question and every column's answer, next to the baseline's. */
export function CasePanel({ comparison, cases, total, onEnd }: Props) {
  const [taskId, setTaskId] = useUrlParam("case");
  const at = taskId === null ? -1 : cases.findIndex((one) => one.task_id === taskId);
  const one = cases[at];
  const step = (by: number) => {
    const next = cases[at === -1 ? 0 : at + by];
    if (next) setTaskId(next.task_id);
  };
  const nearEnd = at >= 0 && at >= cases.length - 3 && onEnd !== undefined;
  const reachEnd = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    if (nearEnd) reachEnd();
  }, [nearEnd]);

  return (
    <SidePanel wide open={taskId !== null} onClose={() => setTaskId(null)} title={`Case ${harmless(taskId ?? "")}`}>
      <StepKeys step={step} />
      <header className="flex items-center justify-between gap-3 border-b border-line py-2.5 pr-2.5 pl-5">
        <div className="min-w-0">
          <p className="truncate text-base font-semibold" aria-hidden="true">{harmless(taskId ?? "")}</p>
          <p className="truncate text-xs text-ink-2">{one ? harmless(one.category) : ""}</p>
        </div>
        <div className="flex items-center">
          <span className="hidden px-2 text-xs text-ink-3 sm:inline">{at >= 0 && `${formatCount(at + 1)} of ${formatCount(total)}`}</span>
          <IconButton icon="up" label="Previous case (k)" disabled={at <= 0} onClick={() => step(-1)} />
          <IconButton icon="down" label="Next case (j)" disabled={at === -1 || at === cases.length - 1} onClick={() => step(1)} />
          <IconButton icon="cross" label="Close (Esc)" onClick={() => setTaskId(null)} />
        </div>
      </header>
      <div key={taskId} tabIndex={0} role="group" aria-label="Case" className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-5 py-4 outline-offset-[-2px]">
        {one ? (
          <>
            <section aria-label="Question">
              <h3 className="mb-1.5 text-sm font-semibold">Question</h3>
              {one.questions_differ && (
                <p className="mb-2 flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-warn">
                  <Icon name="alert" className="mt-0.5" />
                  The columns asked different questions under this name. This is the baseline’s; each item shows its own.
                </p>
              )}
              <PlainText text={one.question} maxLines={12} />
            </section>
            <Suspense><CaseReferences comparison={comparison} one={one} /></Suspense>
            <Suspense><AnswerColumns comparison={comparison} one={one} /></Suspense>
          </>
        ) : (
          <p className="text-ink-2">This case is not in the list. Clear the filters, or scroll further down.</p>
        )}
      </div>
    </SidePanel>
  );
}

/** Active only while a case is open. Up and down scroll. */
function StepKeys({ step }: { step: (by: number) => void }) {
  useShortcuts(
    "Open case",
    [
      { keys: ["j", "ArrowRight"], label: "Next case", run: () => step(1) },
      { keys: ["k", "ArrowLeft"], label: "Previous case", run: () => step(-1) },
    ],
    { modal: true },
  );
  return null;
}
