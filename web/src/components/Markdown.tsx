import { useMemo, useState } from "react";
import { inlines, parseMarkdown, type Block, type Inline } from "@/lib/markdown";
import { excerpt, harmless } from "@/lib/plain-text";
import { formatCount } from "@/lib/format";
import { PlainText } from "./PlainText";

/** Longer texts are shown as plain text, which is cut until it is expanded. */
const MOST_CHARACTERS = 20_000;
const SHOWN = { characters: 6000, lines: 120 } as const;

/** Untrusted text as Markdown, made of elements without any HTML of the text; links are not followed. */
export function Markdown({ text, className = "" }: { text: string; className?: string }) {
  const [isExpanded, setExpanded] = useState(false);
  const { text: part, hidden } = isExpanded ? { text, hidden: 0 } : excerpt(text, SHOWN.characters, SHOWN.lines);
  const blocks = useMemo(() => (text.length > MOST_CHARACTERS ? [] : parseMarkdown(harmless(part))), [text, part]);
  if (text.length > MOST_CHARACTERS) return <PlainText text={text} className={className} />;
  return (
    <div className={className}>
      <div dir="auto" className="model-text flex flex-col gap-2.5 font-sans whitespace-normal">
        {blocks.map((block, index) => <Shown key={index} block={block} />)}
      </div>
      {hidden > 0 && (
        <button type="button" onClick={() => setExpanded(true)} className="mt-1 text-xs font-medium text-accent underline underline-offset-2">
          Show all ({formatCount(hidden)} more characters)
        </button>
      )}
    </div>
  );
}

function Shown({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      // A heading of a text is none of the page.
      return <p className={block.level < 3 ? "text-base font-semibold" : "font-semibold"}><Spans content={block.content} /></p>;
    case "code":
      return <pre tabIndex={0} aria-label={block.language === "" ? "Code" : `Code, ${block.language}`} role="group" className="max-h-96 overflow-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5 outline-offset-[-2px]">{block.text}</pre>;
    case "quote":
      return <blockquote className="border-l-2 border-line-strong pl-3 whitespace-pre-wrap text-ink-2"><Spans content={block.content} /></blockquote>;
    case "rule":
      return <hr className="border-line" />;
    case "list":
      return <List block={block} />;
    case "table":
      return (
        <div tabIndex={0} role="group" aria-label="Table" className="overflow-x-auto outline-offset-[-2px]">
          <table className="text-xs">
            <thead>
              <tr>{block.head.map((cell, index) => <th key={index} scope="col" className="border border-line bg-sunken px-2 py-1 text-left font-medium"><Spans content={cell} /></th>)}</tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => <tr key={index}>{row.map((cell, at) => <td key={at} className="border border-line px-2 py-1"><Spans content={cell} /></td>)}</tr>)}
            </tbody>
          </table>
        </div>
      );
    default:
      return <p className="whitespace-pre-wrap"><Spans content={block.content} /></p>;
  }
}

const DEPTHS = ["", "ml-5", "ml-10", "ml-14", "ml-18"] as const;

function List({ block }: { block: Extract<Block, { kind: "list" }> }) {
  const items = block.items.map(({ depth, content }, index) => <li key={index} className={`whitespace-pre-wrap ${DEPTHS[depth] ?? ""}`}><Spans content={content} /></li>);
  return block.ordered ? <ol start={block.start} className="list-decimal pl-6">{items}</ol> : <ul className="list-disc pl-5">{items}</ul>;
}

function Spans({ content }: { content: readonly Inline[] }) {
  return content.map((one, index) => {
    switch (one.kind) {
      case "code":
        return <code key={index} className="rounded-xs bg-mute-soft px-1 font-mono text-xs">{one.text}</code>;
      case "strong":
        return <strong key={index}><Nested text={one.text} /></strong>;
      case "emphasis":
        return <em key={index}>{one.text}</em>;
      case "link":
        return <span key={index}>{one.text} <span className="text-xs text-ink-3">({one.address})</span></span>;
      default:
        return <span key={index}>{one.text}</span>;
    }
  });
}

/** Bold text may hold code. */
function Nested({ text }: { text: string }) {
  return inlines(text).map((one, index) => (one.kind === "code" ? <code key={index} className="rounded-xs bg-mute-soft px-1 font-mono text-xs">{one.text}</code> : <span key={index}>{one.text}</span>));
}
