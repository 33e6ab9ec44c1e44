import { Button } from "@/components/Button";
import { AlertDialog } from "@/components/Dialog";
import { harmless } from "@/lib/plain-text";

interface Props {
  open: boolean;
  name: string;
  /** The run has not started. */
  queued?: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

export function CancelDialog({ open, name, queued = false, onClose, onConfirm }: Props) {
  return (
    <AlertDialog open={open} onClose={onClose} title="Cancel this run?">
      <p className="mt-2 text-ink-2">
        <span className="font-medium wrap-anywhere text-ink">{harmless(name)}</span>{" "}
        {queued
          ? "leaves the queue for good, and no model is asked."
          : "stops for good. Calls in flight are aborted; answers and scores so far are kept. To go on later, pause it instead."}
      </p>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>
          {queued ? "Keep it queued" : "Keep running"}
        </Button>
        <Button kind="danger" icon="stop" onClick={onConfirm}>
          Cancel the run
        </Button>
      </div>
    </AlertDialog>
  );
}
