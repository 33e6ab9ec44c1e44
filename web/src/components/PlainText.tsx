import { useMemo, useState } from "react";
import { excerpt, harmless } from "@/lib/plain-text";
import { formatCount } from "@/lib/format";
import { Marked } from "./Marked";

interface Props {
  text: string;
  maxCharacters?: number;
  maxLines?: number;
  className?: string;
  /** Marks these texts. */
  pattern?: RegExp | null;
}

/** Show untrusted text as text: control characters visible, long lines wrapped, long texts cut until expanded. */
export function PlainText({ text, maxCharacters = 4000, maxLines = 60, className = "", pattern = null }: Props) {
  const [isExpanded, setExpanded] = useState(false);
  const shown = useMemo(() => {
    const part = isExpanded ? { text, hidden: 0 } : excerpt(text, maxCharacters, maxLines);
    return { text: harmless(part.text), hidden: part.hidden };
  }, [text, isExpanded, maxCharacters, maxLines]);
  return (
    <div className={className}>
      <div dir="auto" className="model-text">
        <Marked text={shown.text} pattern={pattern} />
        {shown.hidden > 0 && <span aria-hidden="true">…</span>}
      </div>
      {shown.hidden > 0 && (
        <button type="button" onClick={() => setExpanded(true)} className="mt-1 text-xs font-medium text-accent underline underline-offset-2">
          Show all ({formatCount(shown.hidden)} more characters)
        </button>
      )}
    </div>
  );
}
