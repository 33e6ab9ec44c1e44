import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { MOST_PER_PAGE, useDeleteTaskMutation } from "@/api/tasks";
import { useListCollectionsQuery } from "@/api/collections";
import type { TaskOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { formatDate, MISSING } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useMay } from "@/lib/rights";

/** The origin of a task and the collections that contain it. */
export function TaskFacts({ task, list }: { task: TaskOut; list: string }) {
  const navigate = useNavigate();
  const seesCollections = useMay("collections:read");
  const { data } = useListCollectionsQuery({ taskId: task.id, limit: MOST_PER_PAGE }, { skip: !seesCollections });
  const [isAsked, setAsked] = useState(false);
  const [remove, removing] = useDeleteTaskMutation();
  const confirm = async () => {
    const answer = await remove({ id: task.id });
    if (answer.error) return;
    toast(`${task.task_id} is deleted.`);
    void navigate(list);
  };
  return (
    <Section title="About this task">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 px-4 py-3">
        <dt className="text-ink-3">Collections</dt>
        <dd className="min-w-0">
          {data?.items.map((one) => (
            <Link key={one.id} to={`/collections/${one.id}`} className="block truncate text-accent underline underline-offset-2">
              {harmless(one.name)}
            </Link>
          ))}
          {(!seesCollections || data?.items.length === 0) && MISSING}
        </dd>
        <dt className="text-ink-3">From</dt>
        <dd className="wrap-anywhere">{task.source_file ? `${harmless(task.source_file)}${task.source_line === null ? "" : `, line ${task.source_line}`}` : "written here"}</dd>
        <dt className="text-ink-3">Created</dt>
        <dd>{formatDate(task.created_at)}</dd>
        <dt className="text-ink-3">Changed</dt>
        <dd>{formatDate(task.updated_at)}</dd>
      </dl>
      <div className="border-t border-line px-4 py-3">
        <Button kind="danger" icon="trash" right="tasks:delete" onClick={() => setAsked(true)}>
          Delete
        </Button>
      </div>
      <ConfirmDialog open={isAsked} onClose={() => setAsked(false)} title="Delete this task?" name={task.task_id} action="Delete the task" busy={removing.isLoading} error={removing.error} onConfirm={() => void confirm()}>
        <p>It leaves every collection, and is deleted permanently. Runs that asked it keep their own copy.</p>
      </ConfirmDialog>
    </Section>
  );
}
