import { useDeleteDocumentMutation } from "@/api/documents";
import type { DocumentOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { AlertDialog } from "@/components/Dialog";
import { ProblemNote } from "@/components/Message";
import { toast } from "@/components/Toast";
import { harmless } from "@/lib/plain-text";

export function DeleteDocument({ document, onClose, onDeleted }: { document: DocumentOut; onClose: () => void; onDeleted?: () => void }) {
  const [remove, removing] = useDeleteDocumentMutation();
  const confirm = async () => {
    const answer = await remove({ documentId: document.document_id });
    if (answer.error) return;
    toast(`${harmless(document.name)} is deleted.`);
    onClose();
    onDeleted?.();
  };
  return (
    <AlertDialog open onClose={onClose} title="Delete this document?">
      <p className="mt-2 text-ink-2"><span className="font-medium wrap-anywhere text-ink">{harmless(document.name)}</span> and its file are gone for good. Datasets that were made from it keep their copies of its text.</p>
      {removing.error !== undefined && <div className="mt-3"><ProblemNote error={removing.error} /></div>}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Not now</Button>
        <Button kind="danger" disabled={removing.isLoading} onClick={() => void confirm()}>{removing.isLoading ? "Working…" : "Delete it"}</Button>
      </div>
    </AlertDialog>
  );
}
