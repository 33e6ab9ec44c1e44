// Write the documentation into dist/docs, with the page built by Vite as its frame.
import MiniSearch from "minisearch";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { OPTIONS } from "../site/search.js";
import { escape } from "./diagrams.mjs";
import { Links } from "./links.mjs";
import { renderPage } from "./markdown.mjs";
import { navigate } from "./navigation.mjs";
import { bytesOf, entriesOf, firstPages, kindOf, outputOf, textOf, urlOf } from "./repository.mjs";

const DIST = new URL("../../dist/docs/", import.meta.url);
const TEMPLATE = new URL("site/page.html", DIST);

function write(output, content) {
  const at = new URL(encodeURI(output), DIST);
  mkdirSync(new URL(".", at), { recursive: true });
  writeFileSync(at, content);
}

/** Show a file that is not Markdown verbatim, and a folder as a list. */
function showFile(path, links) {
  if (kindOf(path) === "file") return `<h1>${escape(path)}</h1><div class="scroll pre" tabindex="0" role="group" aria-label="File"><pre><code>${escape(textOf(path))}</code></pre></div>`;
  const rows = entriesOf(path).map((name) => {
    const below = posix.join(path, name.replace(/\/$/, ""));
    return `<li>${links.wanted.has(below) ? `<a href="${urlOf(below)}">${escape(name)}</a>` : escape(name)}</li>`;
  });
  return `<h1>${escape(path)}</h1><ul>${rows.join("")}</ul>`;
}

const links = new Links();
const pages = new Map();
let queue = firstPages();
while (queue.length > 0) {
  for (const path of queue) pages.set(path, renderPage(path, textOf(path), links));
  queue = [...links.wanted].filter((path) => path.endsWith(".md") && !pages.has(path));
}
for (const path of pages.keys()) links.wanted.add(path);
const shown = [...links.wanted];
const colliding = Links.collisions(shown);
if (colliding.length > 0) throw new Error(`One address for several pages: ${JSON.stringify(colliding)}`);

const template = readFileSync(TEMPLATE, "utf8");
const navigation = navigate(pages);
for (const path of shown) {
  const page = pages.get(path) ?? { title: path, html: showFile(path, links) };
  const parts = { title: `${escape(page.title)} · llmbench`, navigation: navigation(path), content: page.html };
  write(outputOf(path), template.replaceAll(/\{\{(\w+)\}\}/g, (_, part) => parts[part]));
}
for (const path of links.images) write(`files/${path}`, bytesOf(path));

const index = new MiniSearch(OPTIONS);
for (const [path, { title, sections }] of pages) {
  const seen = new Map(sections.map((section) => [section.id, section]));
  index.addAll([...seen.values()].map(({ id, heading, text }) => ({ url: urlOf(path) + (id && `#${id}`), title, heading, text })));
}
write("search-index.json", JSON.stringify(index));
rmSync(new URL("site/", DIST), { recursive: true });

for (const each of links.broken) console.warn(`documentation: this link leads nowhere: ${each}`);
console.log(`documentation: ${shown.length} pages, ${links.images.size} pictures`);
