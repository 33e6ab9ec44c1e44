// Read the repository's files for the documentation. Paths are relative to the repository, with slashes.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { posix } from "node:path";

const ROOT = new URL("../../../", import.meta.url);
const PROJECT = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"];

const at = (path) => new URL(encodeURI(path), ROOT);

/** Return the pages to start from; pages that they link to are added later. */
export function firstPages() {
  const pages = readdirSync(at("docs"), { recursive: true })
    .map((path) => `docs/${path}`)
    .filter((path) => path.endsWith(".md"))
    .toSorted();
  return [...PROJECT.filter((path) => existsSync(at(path))), ...pages];
}

export const textOf = (path) => readFileSync(at(path), "utf8");
export const bytesOf = (path) => readFileSync(at(path));

/** "file", "folder", or undefined for a path that does not exist or lies outside the repository. */
export function kindOf(path) {
  if (path.startsWith("..") || !existsSync(at(path))) return undefined;
  return statSync(at(path)).isDirectory() ? "folder" : "file";
}

export function entriesOf(folder) {
  return readdirSync(at(folder), { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .filter((name) => !name.startsWith("."))
    .toSorted();
}

/** Return where the page of a path is written, below /docs/. */
export function outputOf(path) {
  if (path === "README.md") return "index.html";
  const page = path.endsWith(".md") ? path.slice(0, -3) : path;
  const below = page.startsWith("docs/") ? page.slice(5) : PROJECT.includes(path) ? `project/${page.toLowerCase()}` : `files/${page}`;
  if (kindOf(path) === "folder") return posix.join("files", path, "index.html");
  return `${below.replace(/(^|\/)README$/, "$1index")}.html`;
}

export const urlOf = (path) => `/docs/${outputOf(path).replace(/(^|\/)index\.html$/, "$1")}`;
