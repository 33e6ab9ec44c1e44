import type { ComparedColumn } from "@/api/generated/orchestrator";
import { useGetItemQuery } from "@/api/results";
import { Skeleton } from "@/components/Message";
import { PlainText } from "@/components/PlainText";
import { ProblemNote } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { referencesOf } from "@/lib/references";
import { reasonsOf } from "../words";

/** The references of an item and the reasons of its scores, under its answer. */
export function ReviewNotes({ column, itemId }: { column: ComparedColumn; itemId: string }) {
  const { currentData: item, error, isError } = useGetItemQuery({ runId: column.run_id, itemId });
  if (isError) return <ProblemNote error={error} />;
  if (!item) return <Skeleton className="mt-2 h-16" />;
  const notes = [...referencesOf(item.case).map(([name, text]) => ({ name: `Reference: ${name}`, text })), ...reasonsOf(item, column)];
  return (
    <dl className="mt-2 flex flex-col gap-1.5">
      {notes.map(({ name, text }, index) => (
        <div key={index}>
          <dt className="text-xs text-ink-3">{harmless(name)}</dt>
          <dd><PlainText text={text} maxLines={12} /></dd>
        </div>
      ))}
    </dl>
  );
}
