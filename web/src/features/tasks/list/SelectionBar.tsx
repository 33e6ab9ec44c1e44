import { useState } from "react";
import { findTaskIds, type TaskFilter } from "@/api/tasks";
import { useAssignTasksMutation } from "@/api/collections";
import { useApiDispatch } from "@/api/dispatch";
import type { CollectionOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { AddToCollection } from "./AddToCollection";
import { DeleteTasks } from "./DeleteTasks";

interface Props {
  selected: ReadonlySet<string>;
  filter: TaskFilter;
  /** The loaded rows; there may be more. */
  shown: number;
  hasMore: boolean;
  /** The collection whose tasks are shown. */
  collection: CollectionOut | undefined;
  onSelect: (ids: ReadonlySet<string>) => void;
}

/** Actions on the chosen tasks. */
export function SelectionBar({ selected, filter, shown, hasMore, collection, onSelect }: Props) {
  const dispatch = useApiDispatch();
  const [open, setOpen] = useState<"add" | "delete" | null>(null);
  const [finding, setFinding] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const [assign, assigning] = useAssignTasksMutation();
  const ids = [...selected];
  const clear = () => onSelect(new Set());

  const selectAll = async () => {
    setFinding({ busy: true });
    try {
      onSelect(new Set(await findTaskIds(dispatch, filter)));
      setFinding({ busy: false });
    } catch (error) {
      setFinding({ busy: false, error });
    }
  };
  const takeOut = async (from: CollectionOut) => {
    const answer = await assign({ id: from.id, assignTasks: { unassign: ids } });
    if (!answer.data) return;
    toast(`${plural(ids.length, "task")} removed from ${from.name}, which now has ${formatCount(answer.data.task_count)}.`);
    clear();
  };

  return (
    <section aria-label="Chosen tasks" className="sticky top-2 z-20 flex flex-col gap-2 rounded-lg border border-accent bg-selected px-4 py-2 shadow-panel">
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="font-medium">{formatCount(selected.size)} chosen</p>
        {hasMore && selected.size === shown && (
          <Button kind="ghost" disabled={finding.busy} onClick={() => void selectAll()}>
            {finding.busy ? "Choosing…" : "Choose all matches"}
          </Button>
        )}
        <Button kind="ghost" onClick={clear}>Clear the selection</Button>
        <span className="flex-1" />
        {collection && (
          <Button icon="cross" right="collections:update" disabled={assigning.isLoading} onClick={() => void takeOut(collection)}>
            <span className="max-w-60 truncate">Remove from {harmless(collection.name)}</span>
          </Button>
        )}
        <Button icon="plus" right="collections:update" onClick={() => setOpen("add")}>Add to a collection</Button>
        <Button kind="danger" icon="trash" right="tasks:delete" onClick={() => setOpen("delete")}>Delete</Button>
      </div>
      {finding.error !== undefined && <ProblemNote error={finding.error} />}
      {assigning.error && <ProblemNote error={assigning.error} />}
      {open === "add" && <AddToCollection ids={ids} onClose={() => setOpen(null)} onDone={clear} />}
      {open === "delete" && <DeleteTasks ids={ids} onClose={() => setOpen(null)} onDone={clear} />}
    </section>
  );
}
