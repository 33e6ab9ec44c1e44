import type { ReactNode } from "react";
import { harmless } from "@/lib/plain-text";
import { Button } from "./Button";
import { AlertDialog } from "./Dialog";
import { ProblemNote } from "./Problem";

interface Props {
  title: string;
  name: string;
  /** The sentence that continues after the name. */
  children: ReactNode;
  busy: boolean;
  error: unknown;
  onClose: () => void;
  onConfirm: () => void;
}

/** Confirm the deletion of one small thing. `ConfirmDialog` deletes things that contain many others. */
export function DeleteDialog({ title, name, children, busy, error, onClose, onConfirm }: Props) {
  return (
    <AlertDialog open onClose={onClose} title={title}>
      <p className="mt-2 text-ink-2"><span className="font-medium wrap-anywhere text-ink">{harmless(name)}</span> {children}</p>
      {error !== undefined && <div className="mt-3"><ProblemNote error={error} /></div>}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button kind="danger" disabled={busy} onClick={onConfirm}>{busy ? "Working…" : "Delete it"}</Button>
      </div>
    </AlertDialog>
  );
}
