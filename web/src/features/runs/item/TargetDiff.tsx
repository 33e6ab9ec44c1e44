import { skipToken } from "@reduxjs/toolkit/query/react";
import type { ItemDetail } from "@/api/generated/orchestrator";
import { useGetItemQuery, useListItemsQuery } from "@/api/results";
import { DiffView } from "@/components/DiffView";
import { Skeleton } from "@/components/Message";
import { ProblemNote } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { caseKey } from "../read/cases";
import type { Target } from "./against";
import { TextBox } from "./Part";

/** The answers of one target to a task: its epochs. */
const MOST_ANSWERS = 200;

interface Props {
  item: ItemDetail;
  target: Target;
  answer: string;
  className?: string;
}

/** An answer with its differences from the answer of another target to the same case. */
export default function TargetDiff({ item, target, answer, className }: Props) {
  const runId = item.run_id;
  const list = useListItemsQuery({ runId, taskId: item.task_id, targetId: [target.id], limit: MOST_ANSWERS });
  const other = list.currentData?.items.find((one) => caseKey(one) === caseKey(item));
  const { currentData: base, error } = useGetItemQuery(other ? { runId, itemId: other.id } : skipToken);
  const failed = list.error ?? error;
  if (failed) return <><div className="mb-2"><ProblemNote error={failed} /></div><TextBox text={answer} /></>;
  if (!list.currentData || (other && !base)) return <Skeleton className="h-24" />;
  const text = base?.refusal ?? base?.answer ?? "";
  if (text.trim() === "") return <><p className="mb-1 text-xs text-ink-3">{harmless(target.label)} has no answer to this case.</p><TextBox text={answer} /></>;
  return (
    <>
      <p className="mb-1 text-xs text-ink-3">Compared with the answer of {harmless(target.label)}.</p>
      <DiffView before={text} after={answer} className={className ?? ""} />
    </>
  );
}
