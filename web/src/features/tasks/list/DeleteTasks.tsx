import { useDeleteTasksMutation } from "@/api/tasks";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { toast } from "@/components/Toast";
import { plural } from "@/lib/format";

/** The server's limit per request. */
const MOST_AT_ONCE = 10_000;

interface Props {
  ids: readonly string[];
  onClose: () => void;
  onDone: () => void;
}

export function DeleteTasks({ ids, onClose, onDone }: Props) {
  const [remove, removing] = useDeleteTasksMutation();
  const confirm = async () => {
    let deleted = 0;
    for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
      const answer = await remove({ deleteTasks: { ids: ids.slice(at, at + MOST_AT_ONCE) } });
      if (!answer.data) return;
      deleted += answer.data.deleted;
    }
    toast(`${plural(deleted, "task")} deleted.`);
    onDone();
    onClose();
  };
  const what = plural(ids.length, "task");
  return (
    <ConfirmDialog open onClose={onClose} title={`Delete ${what}?`} action={`Delete ${what}`} busy={removing.isLoading} error={removing.error} onConfirm={() => void confirm()}>
      <p>They leave every collection, and are deleted permanently. Runs that asked them keep their own copies.</p>
    </ConfirmDialog>
  );
}
