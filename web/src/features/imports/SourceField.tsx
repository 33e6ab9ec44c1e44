import { useEffect, useState, type ReactNode } from "react";
import { Button } from "@/components/Button";
import { TextAreaField } from "@/components/Field";
import { FileDrop } from "@/components/FileDrop";
import { fileOfText } from "./read-head";

interface Props {
  file: { name: string; bytes: number } | null;
  onFile: (file: File) => void;
  children: ReactNode;
}

/** Drop a file, choose one, or paste rows or a file anywhere on the page. */
export function SourceField({ file, onFile, children }: Props) {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const pasted = event.clipboardData?.files[0];
      const isTyping = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [contenteditable]") !== null;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (pasted) onFile(pasted);
      else if (!isTyping && text.trim() !== "") onFile(fileOfText(text));
      else return;
      event.preventDefault();
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, [onFile]);
  return (
    <FileDrop
      label="File to import"
      invitation="Drop a file here, or choose one"
      hint="CSV, JSON, JSON Lines, YAML, Parquet, promptfoo or OpenAI Evals; or paste rows with Ctrl-V"
      accept=".csv,.tsv,.json,.jsonl,.ndjson,.yaml,.yml,.parquet"
      file={file}
      onFile={onFile}
    >
      {!file && <Pasted onFile={onFile} />}
      {children}
    </FileDrop>
  );
}

function Pasted({ onFile }: { onFile: (file: File) => void }) {
  const [text, setText] = useState("");
  return (
    <form
      className="card flex flex-col gap-2 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onFile(fileOfText(text));
      }}
    >
      <TextAreaField
        label="Or paste rows"
        hint="CSV with a header, cells copied from a spreadsheet, JSON, or one JSON object per line."
        mono
        rows={3}
        spellCheck={false}
        value={text}
        onPaste={(event) => {
          // A field would become slow with megabytes of text: pasted rows go the way of a file.
          const pasted = event.clipboardData.getData("text/plain");
          if (text !== "" || pasted.trim() === "") return;
          event.preventDefault();
          onFile(fileOfText(pasted));
        }}
        onChange={setText}
      />
      <div><Button type="submit" disabled={text.trim() === ""}>Use these rows</Button></div>
    </form>
  );
}
