/** Read the columns of a file to upload, with their first values. */

export interface FileColumn {
  name: string;
  /** The column's first values, verbatim. */
  examples: string[];
}

const HEAD_BYTES = 256 * 1024;
const EXAMPLES = 3;
const MOST_COLUMNS = 200;

/** Null if the browser cannot read the table: Parquet, YAML, or a large JSON document. */
export async function columnsOf(file: File): Promise<FileColumn[] | null> {
  const text = await file.slice(0, HEAD_BYTES).text();
  const isComplete = file.size <= HEAD_BYTES;
  const kind = /\.(csv|tsv|jsonl|ndjson|json)$/i.exec(file.name)?.[1]?.toLowerCase();
  if (kind === "csv" || kind === "tsv") return ofTable(text.replace(/^\uFEFF/, ""), kind === "tsv" ? "\t" : undefined);
  if (kind === "jsonl" || kind === "ndjson") return ofRecords(text.split("\n").slice(0, isComplete ? undefined : -1).flatMap(record));
  if (kind === "json" && isComplete) return ofRecords([parsed(text)].flat().flatMap((one) => (isRecord(one) ? [one] : [])));
  return null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function record(line: string): Record<string, unknown>[] {
  const value = parsed(line);
  return isRecord(value) ? [value] : [];
}

function ofRecords(records: readonly Record<string, unknown>[]): FileColumn[] | null {
  const columns = new Map<string, string[]>();
  for (const one of records) {
    for (const [name, value] of Object.entries(one)) {
      const examples = columns.get(name) ?? [];
      if (examples.length < EXAMPLES && value !== null && value !== "") examples.push(typeof value === "string" ? value : JSON.stringify(value));
      columns.set(name, examples);
    }
  }
  return columns.size === 0 ? null : [...columns].slice(0, MOST_COLUMNS).map(([name, examples]) => ({ name, examples }));
}

function ofTable(text: string, separator: string | undefined): FileColumn[] | null {
  const firstLine = text.split(/\r?\n/, 1)[0] ?? "";
  const between = separator ?? [",", ";", "\t"].toSorted((a, b) => firstLine.split(b).length - firstLine.split(a).length)[0] ?? ",";
  const [header, ...rows] = rowsOf(text, between, EXAMPLES + 1);
  if (!header) return null;
  return header.slice(0, MOST_COLUMNS).map((name, index) => ({ name: name.trim(), examples: rows.flatMap((row) => row[index] || []) }));
}

/** The first rows of a CSV file. Quotes hold separators, line ends and doubled quotes. */
function rowsOf(text: string, separator: string, most: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.some((one) => one !== "")) rows.push(row);
    [row, cell] = [[], ""];
  };
  for (let at = 0; at < text.length && rows.length < most; at += 1) {
    const char = text.charAt(at);
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell === "") isQuoted = true;
    else if (char === separator) {
      row.push(cell);
      cell = "";
    } else if (char === "\n") endRow();
    else if (char !== "\r") cell += char;
  }
  if (rows.length < most && (cell !== "" || row.length > 0)) endRow();
  return rows;
}
