// The full-text search. The build makes the index, the first search loads it.
import MiniSearch from "minisearch";

// Shared with the build: an index can only be read with the options it was made with.
export const OPTIONS = {
  fields: ["heading", "title", "text"],
  storeFields: ["url", "title", "heading"],
  idField: "url",
};
const INDEX = "/docs/search-index.json";
const MOST = 12;

let index;

async function loadIndex() {
  const response = await fetch(INDEX);
  if (!response.ok) throw new Error(`${INDEX}: ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), OPTIONS);
}

/** Return the best places for a query: every word must be there, the last one may be unfinished. */
export async function searchPages(query) {
  index ??= loadIndex();
  const found = (await index).search(query, { combineWith: "AND", prefix: true, boost: { heading: 4, title: 3 } });
  return found.slice(0, MOST);
}
