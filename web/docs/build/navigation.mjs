// The list of pages on the left, grouped by kind of page.
import { escape } from "./diagrams.mjs";
import { urlOf } from "./repository.mjs";

const GROUPS = [
  ["Tutorials", /^README\.md$|^docs\/tutorials\//],
  ["How-to guides", /^docs\/how-to\//],
  ["Reference", /^docs\/(?:reference|generated)\/|^docs\/(?:glossary|requirements)\.md$/],
  ["Decisions", /^docs\/decisions\//],
  ["Explanations", /^ARCHITECTURE\.md$|^docs\//],
  ["Project", /\.md$/],
];
const ORDER = ["Tutorials", "How-to guides", "Explanations", "Reference", "Decisions", "Project"];
const API = { path: null, url: "/docs/api/", title: "HTTP API" };

export function navigate(pages) {
  const groups = new Map(ORDER.map((name) => [name, []]));
  for (const [path, { title }] of pages) {
    const group = GROUPS.find(([, pattern]) => pattern.test(path));
    if (group !== undefined) groups.get(group[0]).push({ path, title: path === "README.md" ? "Overview" : title, url: urlOf(path) });
  }
  groups.get("Reference").push(API);
  for (const [name, found] of groups) found.sort(name === "Decisions" ? byPath : byTitle);
  return (current) =>
    [...groups]
      .filter(([, found]) => found.length > 0)
      .map(([name, found]) => `<h2>${name}</h2>\n<ul>\n${found.map((page) => entry(page, current)).join("\n")}\n</ul>`)
      .join("\n");
}

const rank = (page) => (page.path === "README.md" || page.path === "ARCHITECTURE.md" ? 0 : 1);
const byTitle = (a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title, "en");
// The folder's own page comes before what it lists.
const byPath = (a, b) => a.path.replace("README", "").localeCompare(b.path.replace("README", ""), "en");

function entry({ path, url, title }, current) {
  return `<li><a href="${url}"${path === current ? ' aria-current="page"' : ""}>${escape(title)}</a></li>`;
}
