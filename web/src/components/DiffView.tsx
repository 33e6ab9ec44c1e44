import { useEffect, useState } from "react";
import { excerpt, harmless } from "@/lib/plain-text";
import type { DiffPart } from "@/lib/word-diff";
import { PlainText } from "./PlainText";

interface Props {
  before: string;
  after: string;
  className?: string;
}

const MOST_CHARACTERS = 20_000;
const MOST_LINES = 400;
const LOOKS = { same: "", added: "rounded-xs bg-good-soft text-good underline decoration-1 underline-offset-2", removed: "rounded-xs bg-bad-soft text-bad line-through" } as const;

/** Untrusted text with additions and removals relative to another text, marked by sign and colour; always rendered as text. */
export function DiffView({ before, after, className = "" }: Props) {
  const [diff, setDiff] = useState<{ of: string; parts: DiffPart[] } | null>(null);
  const long = isLong(before) || isLong(after);
  const of = `${before}\0${after}`;
  useEffect(() => {
    let wanted = true;
    if (!long) {
      void import("@/lib/word-diff").then(
        ({ wordDiff }) => {
          if (wanted) setDiff({ of: `${before}\0${after}`, parts: wordDiff(before, after) });
        },
        // Without marks the text itself is shown.
        () => undefined,
      );
    }
    return () => {
      wanted = false;
    };
  }, [before, after, long]);
  const parts = diff?.of === of ? diff.parts : undefined;
  if (long || !parts) {
    return (
      <div className={className}>
        <PlainText text={after} />
        {long && <p className="mt-1.5 font-sans text-xs text-ink-3">Too long to mark what changed.</p>}
      </div>
    );
  }
  const [old, now] = parts;
  if (parts.length === 2 && old?.kind === "removed" && now?.kind === "added") {
    return (
      <div dir="auto" className={`model-text ${className}`}>
        <del className={`block w-fit px-1 ${LOOKS.removed}`}>{harmless(old.text)}</del>
        <ins className={`mt-1.5 block w-fit px-1 ${LOOKS.added}`}>{harmless(now.text)}</ins>
      </div>
    );
  }
  return (
    <div dir="auto" className={`model-text ${className}`}>
      {parts.map((part, index) =>
        part.kind === "added" ? (
          <ins key={index} className={LOOKS.added}>{harmless(part.text)}</ins>
        ) : part.kind === "removed" ? (
          <del key={index} className={LOOKS.removed}>{harmless(part.text)}</del>
        ) : (
          <span key={index}>{harmless(part.text)}</span>
        ),
      )}
    </div>
  );
}

function isLong(text: string): boolean {
  return excerpt(text, MOST_CHARACTERS, MOST_LINES).hidden > 0;
}
