import { useState, type ReactNode } from "react";
import { harmless } from "@/lib/plain-text";
import { Button } from "./Button";
import { AlertDialog } from "./Dialog";
import { TextField } from "./Field";
import { ProblemNote } from "./Problem";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The explanation: which data is deleted and which stays. */
  children: ReactNode;
  /** The name of the thing to delete. */
  name?: string;
  action: string;
  /**
   * The word to type before the button works, "delete" by default. It is short: a long name would be pasted without
   * reading it.
   */
  word?: string;
  busy?: boolean;
  error?: unknown;
  onConfirm: () => void;
}

/** Confirm an irreversible action: the button works only after a word is typed. */
export function ConfirmDialog({ open, onClose, title, children, name, action, word = "delete", busy = false, error, onConfirm }: Props) {
  return (
    <AlertDialog open={open} onClose={onClose} title={title}>
      {name !== undefined && <p className="mt-2 line-clamp-3 font-medium wrap-anywhere">{harmless(name)}</p>}
      <div className="mt-2 text-ink-2">{children}</div>
      <Confirmation key={name} action={action} word={word} busy={busy} onClose={onClose} onConfirm={onConfirm}>
        {error !== undefined && error !== null && <ProblemNote error={error} />}
      </Confirmation>
    </AlertDialog>
  );
}

type FormProps = Pick<Props, "action" | "onClose" | "onConfirm" | "children"> & { word: string; busy: boolean };

function Confirmation({ action, word, busy, onClose, onConfirm, children }: FormProps) {
  const [text, setText] = useState("");
  const ready = text.trim().toLowerCase() === word && !busy;
  return (
    <form
      className="mt-4 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onConfirm();
      }}
    >
      <TextField
        label={<>Type <span className="font-semibold text-ink">{word}</span> to confirm</>}
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
