// Fails the build when the entry, a route or a lazy chunk outgrows its budget (gzip).
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const KB = 1024;
const BUDGET = { entry: 140 * KB, route: 230 * KB, chunk: 60 * KB, reference: 560 * KB, documentation: 20 * KB };
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

const sizes = new Map();
function size(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(new URL(file, dist))).length);
  return sizes.get(file);
}

/** Return all files that a chunk loads before it runs: itself, its static imports, their styles. */
function filesOf(key, seen = new Set()) {
  const chunk = manifest[key];
  if (seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const style of chunk.css ?? []) seen.add(style);
  for (const imported of chunk.imports ?? []) filesOf(imported, seen);
  return seen;
}

const total = (files) => [...files].reduce((sum, file) => sum + size(file), 0);
const problems = [];
function check(name, bytes, limit) {
  console.log(`${name.padEnd(52)} ${(bytes / KB).toFixed(1).padStart(7)} KB of ${limit / KB} KB gzip`);
  if (bytes > limit) problems.push(name);
}

const entry = filesOf("index.html");
check("entry", total(entry), BUDGET.entry);
const reference = filesOf("docs/api/index.html");
check("reference (docs/api/index.html)", total(reference), BUDGET.reference);
const documentation = filesOf("docs/site/page.html");
check("documentation (docs/site/page.html)", total(documentation), BUDGET.documentation);
for (const [key, chunk] of Object.entries(manifest)) {
  if (!chunk.isDynamicEntry) continue;
  const route = filesOf(key);
  check(`route ${key}`, total(new Set([...entry, ...route])), BUDGET.route);
  for (const file of route) if (!entry.has(file)) check(`  chunk ${file}`, size(file), BUDGET.chunk);
}
if (problems.length > 0) {
  console.error(`Over budget: ${problems.join(", ")}`);
  process.exit(1);
}
