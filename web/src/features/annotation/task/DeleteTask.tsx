import { useNavigate } from "react-router";
import { useDeleteAnnotationTaskMutation } from "@/api/annotation";
import type { AnnotationTaskOut } from "@/api/generated/config-api";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { toast } from "@/components/Toast";
import { plural } from "@/lib/format";

/** Delete the task with the labels that people gave. */
export function DeleteTask({ task, labels, onClose }: { task: AnnotationTaskOut; labels: number; onClose: () => void }) {
  const navigate = useNavigate();
  const [remove, removing] = useDeleteAnnotationTaskMutation();
  const confirm = async () => {
    const answer = await remove({ taskId: task.task_id, withLabels: true });
    if (answer.error) return;
    toast("The task is deleted.");
    void navigate("/annotation");
  };
  return (
    <ConfirmDialog open onClose={onClose} title="Delete this task?" name={task.name} action="Delete the task" busy={removing.isLoading} error={removing.error} onConfirm={() => void confirm()}>
      <p>{labels > 0 ? `${plural(labels, "label")} that people gave are deleted with it. Export them first if you need them.` : "Nobody has labelled anything in it."} Versions that were made from it stay.</p>
    </ConfirmDialog>
  );
}
