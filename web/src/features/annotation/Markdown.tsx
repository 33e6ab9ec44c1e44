/** Show Markdown that a person wrote: headings, lists, emphasis, code and links. Everything else, HTML too, is text. */

import { Fragment, useMemo, type ReactNode } from "react";
import { harmless } from "@/lib/plain-text";

/** Longer texts are cut, because the page would become slow. */
const MOST_CHARACTERS = 100_000;
const INLINE = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|_([^_\n]+)_|\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)/g;

function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [all, code, strong, star, under, label, href] = match;
    if (match.index > at) parts.push(text.slice(at, match.index));
    const key = match.index;
    if (code !== undefined) parts.push(<code key={key} className="rounded bg-mute-soft px-1 font-mono text-xs">{code}</code>);
    else if (strong !== undefined) parts.push(<strong key={key}>{strong}</strong>);
    else if (href !== undefined) parts.push(<a key={key} href={href} target="_blank" rel="noreferrer noopener" className="text-accent underline underline-offset-2">{label}</a>);
    else parts.push(<em key={key}>{star ?? under}</em>);
    at = match.index + all.length;
  }
  parts.push(text.slice(at));
  return parts;
}

type Block =
  | { kind: "heading" | "text" | "quote"; lines: string[] }
  | { kind: "list"; ordered: boolean; items: string[] }
  | { kind: "code"; lines: string[] };

const ITEM = /^\s*(?:([-*+])|(\d+)[.)])\s+(.*)$/;

/** Split the text into blocks, line by line. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open = false;
  let code: string[] | null = null;
  for (const line of text.split("\n")) {
    const last = open ? blocks.at(-1) : undefined;
    if (line.trimStart().startsWith("```")) {
      if (code) code = null;
      else {
        code = [];
        blocks.push({ kind: "code", lines: code });
      }
      open = false;
      continue;
    }
    if (code) {
      code.push(line);
      continue;
    }
    const item = ITEM.exec(line);
    open = line.trim() !== "";
    if (!open) continue;
    if (/^#{1,6}\s/.test(line)) {
      blocks.push({ kind: "heading", lines: [line.replace(/^#+\s+/, "")] });
      open = false;
    } else if (item) {
      const ordered = item[2] !== undefined;
      if (last?.kind === "list" && last.ordered === ordered) last.items.push(item[3]!);
      else blocks.push({ kind: "list", ordered, items: [item[3]!] });
    } else if (line.startsWith(">")) {
      const quoted = line.replace(/^>\s?/, "");
      if (last?.kind === "quote") last.lines.push(quoted);
      else blocks.push({ kind: "quote", lines: [quoted] });
    } else if (last?.kind === "text") last.lines.push(line);
    else if (last?.kind === "list" && /^\s/.test(line)) last.items.push(`${last.items.pop()} ${line.trim()}`);
    else blocks.push({ kind: "text", lines: [line] });
  }
  return blocks;
}

const broken = (lines: readonly string[]) =>
  lines.map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {inline(line)}
    </Fragment>
  ));

export function Markdown({ text, className = "" }: { text: string; className?: string }) {
  const blocks = useMemo(() => blocksOf(harmless(text.slice(0, MOST_CHARACTERS))), [text]);
  return (
    <div dir="auto" className={`flex flex-col gap-2 wrap-anywhere ${className}`}>
      {blocks.map((block, index) => {
        if (block.kind === "heading") return <p key={index} className="font-semibold">{inline(block.lines[0]!)}</p>;
        if (block.kind === "code") return <pre key={index} className="rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap">{block.lines.join("\n")}</pre>;
        if (block.kind === "quote") return <blockquote key={index} className="border-l-2 border-line-strong pl-3 text-ink-2">{broken(block.lines)}</blockquote>;
        if (block.kind === "list") {
          const List = block.ordered ? "ol" : "ul";
          return <List key={index} className={`${block.ordered ? "list-decimal" : "list-disc"} flex flex-col gap-0.5 pl-5`}>{block.items.map((one, place) => <li key={place}>{inline(one)}</li>)}</List>;
        }
        return <p key={index}>{broken(block.lines)}</p>;
      })}
    </div>
  );
}
