import { useDeleteTestCaseMutation } from "@/api/datasets";
import type { TestCaseOut, VersionOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { AlertDialog } from "@/components/Dialog";
import { ProblemNote } from "@/components/Message";
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
    <AlertDialog open onClose={onClose} title="Delete this case?">
      <p className="mt-2 text-ink-2"><span className="font-medium wrap-anywhere text-ink">{harmless(one.name)}</span> leaves the draft for good; those behind it move up.</p>
      {removing.error !== undefined && <div className="mt-3"><ProblemNote error={removing.error} /></div>}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button kind="danger" disabled={removing.isLoading} onClick={() => void confirm()}>{removing.isLoading ? "Working…" : "Delete it"}</Button>
      </div>
    </AlertDialog>
  );
}
