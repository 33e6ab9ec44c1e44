import { useDeleteDatasetMutation } from "@/api/datasets";
import type { DatasetOut } from "@/api/generated/config-api";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { toast } from "@/components/Toast";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

interface Props {
  dataset: DatasetOut;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteDataset({ dataset, onClose, onDeleted }: Props) {
  const [remove, removing] = useDeleteDatasetMutation();
  const confirm = async () => {
    const answer = await remove({ datasetId: dataset.dataset_id });
    if (answer.error) return;
    toast(`${harmless(dataset.name)} is deleted.`);
    onClose();
    onDeleted?.();
  };
  return (
    <ConfirmDialog open onClose={onClose} title="Delete this dataset?" name={dataset.name} action="Delete the dataset" busy={removing.isLoading} error={removing.error} onConfirm={() => void confirm()}>
      <p>
        {dataset.version_count > 0 ? `Its ${plural(dataset.version_count, "version")} and their files are deleted permanently.` : "It has no version yet."} Finished runs keep
        copies of the cases they used; the dataset cannot be deleted while an unfinished run uses it.
      </p>
    </ConfirmDialog>
  );
}
