import { memo } from "react";
import { Link } from "react-router";
import { Icon } from "@/components/Icon";
import { Marked } from "@/components/Marked";
import { PlainText } from "@/components/PlainText";
import { formatClock } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import type { LogEvent } from "@/live/event-schemas";
import { OPENS_ITEM, useItemHref } from "../item/item-url";
import { LOG_LABELS, type LogKind } from "../run-words";

const KIND_COLORS: Record<LogKind, string> = {
  prompt: "text-ink-3",
  answer: "text-info",
  judge_prompt: "text-ink-3",
  verdict: "text-good",
  note: "text-warn",
};

const MOST_CHARACTERS = 600;
const MOST_LINES = 6;
/** The length of the text that is shown before a match in the folded part. */
const BEFORE_MATCH = 80;

export const LogLine = memo(function LogLine({ line, pattern }: { line: LogEvent; pattern: RegExp | null }) {
  const kind = line.kind ?? "note";
  const level = line.level ?? "info";
  return (
    <article data-seq={line.run_seq} className="border-b border-line px-4 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-xs">
        <time dateTime={line.at} className="font-mono text-2xs text-ink-3">
          {formatClock(line.at)}
        </time>
        <span className={`font-medium ${level === "error" ? "text-bad" : KIND_COLORS[kind]}`}>
          {LOG_LABELS[kind]}
          {level !== "info" && <span className="sr-only"> ({level})</span>}
        </span>
        {line.item_id && <ItemLink id={line.item_id} name={line.task_id ?? "item"} pattern={pattern} />}
        {line.target_label && <span className="truncate text-ink-3">{harmless(line.target_label)}</span>}
      </div>
      <div className="mt-0.5 flex gap-1.5">
        {level !== "info" && <Icon name="alert" className={`mt-0.5 ${level === "error" ? "text-bad" : "text-warn"}`} />}
        <div className={`min-w-0 flex-1 ${kind === "note" ? "" : "font-mono text-xs"} ${level === "error" ? "text-bad" : ""}`}>
          <PlainText text={line.text} maxCharacters={MOST_CHARACTERS} maxLines={MOST_LINES} pattern={pattern} />
          {pattern && <FoldedMatch text={line.text} pattern={pattern} />}
        </div>
      </div>
      {line.truncated && <p className="mt-1 text-xs text-ink-3">Cut at 4 KiB. The item shows the full text.</p>}
    </article>
  );
});

/** The first match with the text around it, if the match is not in the part of the text that is shown at first. */
function FoldedMatch({ text, pattern }: { text: string; pattern: RegExp }) {
  const part = excerpt(text, MOST_CHARACTERS, MOST_LINES);
  if (part.hidden === 0 || pattern.test(harmless(part.text))) return null;
  const whole = harmless(text);
  const at = pattern.exec(whole)?.index;
  if (at === undefined) return null;
  // Never between the halves of a surrogate pair.
  const from = Math.max(0, at - BEFORE_MATCH + (/[\udc00-\udfff]/.test(whole[at - BEFORE_MATCH] ?? "") ? 1 : 0));
  return (
    <div dir="auto" className="model-text mt-1 border-l-2 border-line-strong pl-2">
      …<Marked text={excerpt(whole.slice(from), 3 * BEFORE_MATCH, MOST_LINES).text} pattern={pattern} />…
    </div>
  );
}

function ItemLink({ id, name, pattern }: { id: string; name: string; pattern: RegExp | null }) {
  const itemHref = useItemHref();
  return (
    <Link to={itemHref(id)} state={OPENS_ITEM} preventScrollReset className="font-medium text-accent hover:underline">
      <Marked text={harmless(name)} pattern={pattern} />
    </Link>
  );
}
