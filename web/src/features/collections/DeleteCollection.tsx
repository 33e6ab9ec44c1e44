import { useDeleteCollectionMutation } from "@/api/collections";
import type { CollectionOut } from "@/api/generated/config-api";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { toast } from "@/components/Toast";
import { plural } from "@/lib/format";

interface Props {
  collection: CollectionOut;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteCollection({ collection, onClose, onDeleted }: Props) {
  const [remove, removing] = useDeleteCollectionMutation();
  const confirm = async () => {
    const answer = await remove({ id: collection.id });
    if (answer.error) return;
    toast(`${collection.name} is deleted.`);
    onClose();
    onDeleted?.();
  };
  return (
    <ConfirmDialog open onClose={onClose} title="Delete this collection?" name={collection.name} action="Delete the collection" busy={removing.isLoading} error={removing.error} onConfirm={() => void confirm()}>
      <p>
        {collection.task_count > 0 ? `Its ${plural(collection.task_count, "task")} are kept.` : "It is empty."} Runs that used it stay as they are.
      </p>
    </ConfirmDialog>
  );
}
