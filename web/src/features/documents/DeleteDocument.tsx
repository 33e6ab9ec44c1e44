import { useDeleteDocumentMutation } from "@/api/documents";
import type { DocumentOut } from "@/api/generated/config-api";
import { DeleteDialog } from "@/components/DeleteDialog";
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
    <DeleteDialog title="Delete this document?" name={document.name} busy={removing.isLoading} error={removing.error} onClose={onClose} onConfirm={() => void confirm()}>
      and its file are deleted permanently. Datasets made from it keep their copies of its text.
    </DeleteDialog>
  );
}
