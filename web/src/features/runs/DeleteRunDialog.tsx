import { useDeleteRunMutation } from "@/api/runs";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { toast } from "@/components/Toast";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

interface Props {
  /** Null while nothing is to be deleted. */
  run: { id: string; name: string; items: number } | null;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteRunDialog({ run, onClose, onDeleted }: Props) {
  const [remove, removing] = useDeleteRunMutation();
  const close = () => {
    removing.reset();
    onClose();
  };
  const confirm = async () => {
    if (!run) return;
    const answer = await remove({ runId: run.id });
    if (answer.error) return;
    toast(`“${harmless(run.name)}” is deleted.`);
    onDeleted?.();
    close();
  };
  return (
    <ConfirmDialog
      open={run !== null}
      onClose={close}
      title="Delete this run?"
      name={run?.name ?? ""}
      action="Delete the run"
      busy={removing.isLoading}
      error={removing.error}
      onConfirm={() => void confirm()}
    >
      <p>
        Its {plural(run?.items ?? 0, "item")}, their answers, scores and log are deleted permanently. Export them first if you
        may need them.
      </p>
    </ConfirmDialog>
  );
}
