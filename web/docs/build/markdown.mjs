// Convert one Markdown page to HTML, with its title and its sections for the search.
import GithubSlugger from "github-slugger";
import { Marked } from "marked";
import { drawDiagram, escape } from "./diagrams.mjs";

const LABELS = { pre: "Code", table: "Table", figure: "Diagram" };
/** Let wide content scroll on a narrow screen, also by keyboard. */
const scrolling = (kind, html) => `<div class="scroll ${kind}" tabindex="0" role="group" aria-label="${LABELS[kind]}">${html}</div>\n`;
const plain = (text) => text.replaceAll(/[`*|#[\]<>]+/g, " ").replaceAll(/\s+/g, " ").trim();

export function renderPage(path, text, links) {
  const slugger = new GithubSlugger();
  const title = { text: path };
  const sections = [];
  let heading = "";
  const marked = new Marked({
    walkTokens(token) {
      if (token.type === "link" || token.type === "image") token.href = links.resolve(path, token.href);
    },
    renderer: {
      heading({ tokens, depth }) {
        heading = plain(this.parser.parseInline(tokens, this.parser.textRenderer));
        const id = slugger.slug(heading);
        if (depth === 1) title.text = heading;
        sections.push({ id: depth === 1 ? "" : id, heading, text: "" });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text: code, lang }) {
        if (lang === "mermaid") return scrolling("figure", drawDiagram(code, heading));
        return scrolling("pre", `<pre><code>${escape(code)}</code></pre>`);
      },
      table(token) {
        const row = (cells) => `<tr>${cells.map((cell) => cellOf(cell, this.parser)).join("")}</tr>`;
        const head = token.header.every(({ text: written }) => written === "") ? "" : `<thead>${row(token.header)}</thead>`;
        return scrolling("table", `<table>${head}<tbody>${token.rows.map(row).join("\n")}</tbody></table>`);
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        return href === null ? inner : `<a href="${escape(href)}">${inner}</a>`;
      },
      image({ href, text: description }) {
        return href === null ? escape(description) : `<img src="${escape(href)}" alt="${escape(description)}" loading="lazy" />`;
      },
    },
  });
  const tokens = marked.lexer(text);
  marked.walkTokens(tokens, marked.defaults.walkTokens);
  const html = marked.parser(tokens);
  fillSections(sections, tokens);
  return { title: title.text, html, sections };
}

/** An empty header cell is a plain cell: a screen reader has nothing to read there. */
function cellOf({ header, text, tokens }, parser) {
  const tag = header && text !== "" ? "th" : "td";
  return `<${tag}>${parser.parseInline(tokens)}</${tag}>`;
}

/** Give each section the text up to the next heading. */
function fillSections(sections, tokens) {
  let current = -1;
  for (const token of tokens) {
    if (token.type === "heading") current += 1;
    else if (current >= 0) sections[current].text += ` ${plain(token.raw)}`;
  }
}
