import { useId, useState } from "react";
import { FieldError, INPUT } from "@/components/Field";
import { readMetadata } from "./metadata-filter";

interface Props {
  value: string;
  onChange: (value: string) => void;
  className?: string;
}

/** A filter by metadata, applied at Enter or on blur. */
export function MetadataField({ value, onChange, className = "" }: Props) {
  const id = useId();
  const [text, setText] = useState(value);
  const [problem, setProblem] = useState<string | null>(null);
  // A new value from outside (Back, a cleared filter) replaces the typed text.
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setText(value);
  }
  const settle = () => {
    const read = readMetadata(text);
    setProblem(read.problem);
    if (read.problem === null && text.trim() !== value) onChange(text.trim());
  };
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <input
        type="search"
        aria-label="Metadata"
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? id : undefined}
        placeholder="Metadata: difficulty=hard"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={settle}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          settle();
        }}
        className={`${INPUT} h-8`}
      />
      {problem && <FieldError id={id}>{problem}</FieldError>}
    </div>
  );
}
