import { memo } from "react";
import { Link } from "react-router";
import { Icon } from "@/components/Icon";
import { PlainText } from "@/components/PlainText";
import { formatClock } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
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

export const LogLine = memo(function LogLine({ line }: { line: LogEvent }) {
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
        {line.item_id && <ItemLink id={line.item_id} name={line.task_id ?? "item"} />}
        {line.target_label && <span className="truncate text-ink-3">{harmless(line.target_label)}</span>}
      </div>
      <div className="mt-0.5 flex gap-1.5">
        {level !== "info" && <Icon name="alert" className={`mt-0.5 ${level === "error" ? "text-bad" : "text-warn"}`} />}
        <PlainText
          text={line.text}
          maxCharacters={600}
          maxLines={6}
          className={`min-w-0 flex-1 ${kind === "note" ? "" : "font-mono text-xs"} ${level === "error" ? "text-bad" : ""}`}
        />
      </div>
      {line.truncated && <p className="mt-1 text-xs text-ink-3">Cut at 4 KiB. The item shows the full text.</p>}
    </article>
  );
});

function ItemLink({ id, name }: { id: string; name: string }) {
  const itemHref = useItemHref();
  return (
    <Link to={itemHref(id)} state={OPENS_ITEM} preventScrollReset className="font-medium text-accent hover:underline">
      {harmless(name)}
    </Link>
  );
}
