/**
 * Parse a text as Markdown into blocks. The result holds texts only, never HTML, so a hostile text stays a text; links
 * show their address and lead nowhere.
 */

export type Inline = { kind: "text" | "code" | "strong" | "emphasis"; text: string } | { kind: "link"; text: string; address: string };

export type Block =
  | { kind: "paragraph"; content: Inline[] }
  | { kind: "heading"; level: number; content: Inline[] }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; content: Inline[] }
  | { kind: "list"; ordered: boolean; start: number; items: { depth: number; content: Inline[] }[] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "rule" };

const FENCE = /^ {0,3}(```+|~~~+)\s*([\w+#.-]{0,30})/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^( *)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}>\s?(.*)$/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const TABLE_RULE = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
// Each quantifier is bounded or excludes its own end, so a long line takes time in proportion to its length.
const SPANS = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|__([^_\n]+)__|(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])|\[([^[\]\n]{1,300})\]\(([^()\s]{1,500})\)/g;

export function inlines(text: string): Inline[] {
  const found: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(SPANS)) {
    if (match.index > end) found.push({ kind: "text", text: text.slice(end, match.index) });
    const [all, code, strong, underlined, emphasis, label, address] = match;
    if (code !== undefined) found.push({ kind: "code", text: code });
    else if (strong !== undefined || underlined !== undefined) found.push({ kind: "strong", text: strong ?? underlined ?? "" });
    else if (emphasis !== undefined) found.push({ kind: "emphasis", text: emphasis });
    else found.push({ kind: "link", text: label ?? "", address: address ?? "" });
    end = match.index + all.length;
  }
  if (end < text.length) found.push({ kind: "text", text: text.slice(end) });
  return found;
}

const cells = (line: string) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => inlines(cell.trim()));

export function parseMarkdown(text: string): Block[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (line.trim() === "") at += 1;
    else if (fence) {
      const code: string[] = [];
      for (at += 1; at < lines.length && !(lines[at] ?? "").trimStart().startsWith(fence[1] ?? "```"); at += 1) code.push(lines[at] ?? "");
      at += 1;
      blocks.push({ kind: "code", language: fence[2] ?? "", text: code.join("\n") });
    } else if (heading) {
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, content: inlines(heading[2] ?? "") });
      at += 1;
    } else if (RULE.test(line)) {
      blocks.push({ kind: "rule" });
      at += 1;
    } else if (ITEM.test(line)) at = readList(lines, at, blocks);
    else if (QUOTE.test(line)) {
      const quoted: string[] = [];
      for (; QUOTE.test(lines[at] ?? ""); at += 1) quoted.push(QUOTE.exec(lines[at] ?? "")?.[1] ?? "");
      blocks.push({ kind: "quote", content: inlines(quoted.join("\n")) });
    } else if (line.includes("|") && TABLE_RULE.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("-")) {
      const rows: Inline[][][] = [];
      const head = cells(line);
      for (at += 2; (lines[at] ?? "").includes("|"); at += 1) rows.push(cells(lines[at] ?? ""));
      blocks.push({ kind: "table", head, rows });
    } else {
      const paragraph: string[] = [];
      for (; at < lines.length && !startsBlock(lines[at] ?? "", paragraph.length > 0); at += 1) paragraph.push(lines[at] ?? "");
      blocks.push({ kind: "paragraph", content: inlines(paragraph.join("\n")) });
    }
  }
  return blocks;
}

const startsBlock = (line: string, within: boolean) => line.trim() === "" || (within && (FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || QUOTE.test(line)));

function readList(lines: readonly string[], from: number, blocks: Block[]): number {
  const first = ITEM.exec(lines[from] ?? "");
  const ordered = first?.[2] !== undefined;
  const items: { depth: number; text: string }[] = [];
  let at = from;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const item = ITEM.exec(line);
    const last = items.at(-1);
    if (item) items.push({ depth: Math.min(4, Math.floor((item[1]?.length ?? 0) / 2)), text: `${!ordered && item[2] ? `${item[2]}. ` : ""}${item[3] ?? ""}` });
    else if (line.trim() !== "" && /^\s{2,}/.test(line) && last) last.text += `\n${line.trim()}`;
    else break;
  }
  blocks.push({ kind: "list", ordered, start: Number(first?.[2] ?? 1), items: items.map(({ depth, text }) => ({ depth, content: inlines(text) })) });
  return at;
}
