import { useState, type ReactNode } from "react";
import { Icon } from "@/components/Icon";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import type { ChosenFile } from "./import-plan";

interface Props {
  file: ChosenFile | null;
  onFile: (file: File) => void;
  children: ReactNode;
}

const ENDINGS = ".csv,.tsv,.json,.jsonl,.ndjson,.yaml,.yml";

/** A file can be dropped anywhere on the page; beside the field the browser would leave the page for it. */
export function FileDrop({ file, onFile, children }: Props) {
  const [isOver, setOver] = useState(false);
  return (
    // Dropping is a convenience of the mouse: the field below does the same.
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
        className={`card flex cursor-pointer flex-wrap items-center gap-4 border-2 border-dashed px-5 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-hover ${file ? "py-3" : "flex-col justify-center py-12 text-center"} ${isOver ? "border-accent bg-selected" : "border-line-strong"}`}
      >
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-mute-soft text-ink-2">
          <Icon name="up" className="size-5" />
        </span>
        {file ? (
          <span className="min-w-0 flex-1">
            <span className="block font-semibold wrap-anywhere">{harmless(file.name)}</span>
            <span className="block text-xs text-ink-2">{sizeText(file.content.size)}</span>
          </span>
        ) : (
          <span>
            <span className="block text-base font-semibold">Drop a file of tasks here, or choose one</span>
            <span className="mt-1 block text-ink-2">CSV, JSON, JSON Lines, YAML, promptfoo or OpenAI Evals; in UTF-8, at most 20 MiB</span>
          </span>
        )}
        <span className="font-medium text-accent underline underline-offset-2">{file ? "Choose another" : "Choose a file"}</span>
        <input
          type="file"
          accept={ENDINGS}
          aria-label="File of tasks"
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

function sizeText(bytes: number): string {
  return bytes < 1024 ? plural(bytes, "byte") : bytes < 1024 * 1024 ? `${formatCount(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
