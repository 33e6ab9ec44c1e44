import { useState, type ReactNode } from "react";
import { harmless } from "@/lib/plain-text";
import { Button } from "./Button";
import { AlertDialog } from "./Dialog";
import { TextField } from "./Field";
import { ProblemNote } from "./Message";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What will be gone, and what stays. */
  children: ReactNode;
  /** What must be typed before the button works. */
  typed: string;
  action: string;
  busy?: boolean;
  error?: unknown;
  onConfirm: () => void;
}

/** For what cannot be undone: its name is typed first. */
export function ConfirmDialog({ open, onClose, title, children, typed, action, busy = false, error, onConfirm }: Props) {
  return (
    <AlertDialog open={open} onClose={onClose} title={title}>
      <div className="mt-2 text-ink-2">{children}</div>
      <Confirmation key={typed} typed={typed} action={action} busy={busy} onClose={onClose} onConfirm={onConfirm}>
        {error !== undefined && error !== null && <ProblemNote error={error} />}
      </Confirmation>
    </AlertDialog>
  );
}

type FormProps = Pick<Props, "typed" | "action" | "onClose" | "onConfirm" | "children"> & { busy: boolean };

function Confirmation({ typed, action, busy, onClose, onConfirm, children }: FormProps) {
  const [text, setText] = useState("");
  // A name may hold what nobody can type (double spaces, control characters): what is shown is enough.
  const shown = harmless(typed).replaceAll(/\s+/g, " ").trim();
  const ready = text.replaceAll(/\s+/g, " ").trim() === shown && !busy;
  return (
    <form
      className="mt-4 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onConfirm();
      }}
    >
      <TextField
        label={<>Type <span className="font-semibold wrap-anywhere text-ink select-all">{shown}</span> to confirm</>}
        value={text} onChange={setText} spellCheck={false} data-autofocus
      />
      {children}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button kind="danger" type="submit" disabled={!ready}>
          {busy ? "Working…" : action}
        </Button>
      </div>
    </form>
  );
}
