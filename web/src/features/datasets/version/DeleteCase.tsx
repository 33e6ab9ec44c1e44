import { useDeleteTestCaseMutation } from "@/api/datasets";
import type { TestCaseOut, VersionOut } from "@/api/generated/config-api";
import { DeleteDialog } from "@/components/DeleteDialog";
import { toast } from "@/components/Toast";
import { harmless } from "@/lib/plain-text";

export function DeleteCase({ case: one, version, onClose, onDeleted }: { case: TestCaseOut; version: VersionOut; onClose: () => void; onDeleted: () => void }) {
  const [remove, removing] = useDeleteTestCaseMutation();
  const confirm = async () => {
    const answer = await remove({ datasetId: version.dataset_id, versionNumber: version.version_number, testCaseId: one.test_case_id });
    if (answer.error) return;
    toast(`${harmless(one.name)} is deleted.`);
    onClose();
    onDeleted();
  };
  return (
    <DeleteDialog title="Delete this case?" name={one.name} busy={removing.isLoading} error={removing.error} onClose={onClose} onConfirm={() => void confirm()}>
      is deleted from the draft permanently. The rows after it move up.
    </DeleteDialog>
  );
}
