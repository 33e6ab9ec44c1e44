/** Convert a metadata filter as typed (`difficulty=hard, year=2024`) to the form of the API (contained JSON). */

export type MetadataFilter = { filter: string | null; problem: null } | { filter: null; problem: string };

const SHAPE = "Write field=value, with a comma between several: difficulty=hard, year=2024";

export function readMetadata(text: string): MetadataFilter {
  const wanted = text.trim();
  if (wanted === "") return { filter: null, problem: null };
  if (wanted.startsWith("{")) {
    const value = asJson(wanted);
    return typeof value === "object" && value !== null ? { filter: JSON.stringify(value), problem: null } : { filter: null, problem: "This is not a JSON object." };
  }
  const metadata: Record<string, unknown> = {};
  for (const part of wanted.split(",")) {
    const [name = "", ...rest] = part.split("=");
    if (name.trim() === "" || rest.length === 0) return { filter: null, problem: SHAPE };
    metadata[name.trim()] = metadataValue(rest.join("="));
  }
  return { filter: JSON.stringify(metadata), problem: null };
}

/** Numbers, booleans, lists and objects are parsed as JSON; anything else is text. */
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
