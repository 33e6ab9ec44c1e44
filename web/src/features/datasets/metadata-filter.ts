/** A filter of metadata as people write it (`difficulty=hard, year=2024`), and as the API takes it (JSON that is contained). */

export type MetadataFilter = { filter: string | null; problem: null } | { filter: null; problem: string };

const SHAPE = "Write field=value, with a comma between several: difficulty=hard, year=2024";

export function readMetadata(text: string): MetadataFilter {
  const wanted = text.trim();
  if (wanted === "") return { filter: null, problem: null };
  if (wanted.startsWith("{")) {
    const value = asJson(wanted);
    return typeof value === "object" && value !== null ? { filter: JSON.stringify(value), problem: null } : { filter: null, problem: "This is no object of JSON." };
  }
  const found: Record<string, unknown> = {};
  for (const part of wanted.split(",")) {
    const [name = "", ...rest] = part.split("=");
    if (name.trim() === "" || rest.length === 0) return { filter: null, problem: SHAPE };
    found[name.trim()] = metadataValue(rest.join("="));
  }
  return { filter: JSON.stringify(found), problem: null };
}

/** Numbers, true and false, lists and objects are what JSON says; anything else is a text. */
export function metadataValue(text: string): unknown {
  const value = asJson(text.trim());
  return value === undefined ? text.trim() : value;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
