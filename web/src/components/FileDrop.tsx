import { useState, type ReactNode } from "react";
import { formatBytes } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { Icon } from "./Icon";

interface Props {
  label: string;
  /** The text shown while no file is chosen. */
  invitation: string;
  hint: string;
  /** File extensions in the form of an input's `accept`: `.csv,.json`. */
  accept: string;
  file: { name: string; bytes: number } | null;
  onFile: (file: File) => void;
  children?: ReactNode;
}

/** A file field that accepts drops on all of its content: outside a drop zone the browser would navigate to the file. */
export function FileDrop({ label, invitation, hint, accept, file, onFile, children }: Props) {
  const [isOver, setOver] = useState(false);
  return (
    // Dropping is for the mouse; the field below serves the keyboard.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="flex flex-col gap-4"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const dropped = event.dataTransfer.files[0];
        if (dropped) onFile(dropped);
      }}
    >
      <label
        className={`card flex cursor-pointer flex-wrap items-center gap-4 border-2 border-dashed px-5 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-hover ${file ? "py-3" : "flex-col justify-center py-12 text-center"} ${isOver ? "border-accent bg-selected" : "border-field"}`}
      >
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-mute-soft text-ink-2">
          <Icon name="up" className="size-5" />
        </span>
        {file ? (
          <span className="min-w-0 flex-1">
            <span className="block font-semibold wrap-anywhere">{harmless(file.name)}</span>
            <span className="block text-xs text-ink-2">{formatBytes(file.bytes)}</span>
          </span>
        ) : (
          <span>
            <span className="block text-base font-semibold">{invitation}</span>
            <span className="mt-1 block text-ink-2">{hint}</span>
          </span>
        )}
        <span className="font-medium text-accent underline underline-offset-2">{file ? "Choose another" : "Choose a file"}</span>
        <input
          type="file"
          accept={accept}
          aria-label={label}
          className="sr-only"
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            // The same file, corrected, can be chosen again.
            event.target.value = "";
            if (chosen) onFile(chosen);
          }}
        />
      </label>
      {children}
    </div>
  );
}
