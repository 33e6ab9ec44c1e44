/** Read the head of a file to import: its columns with their first values and types, and its first complete rows. */

export type ColumnType = "text" | "number" | "true or false" | "list" | "object" | "mixed" | "empty";

export interface FileColumn {
  name: string;
  /** The column's first values, verbatim up to a bound. */
  examples: string[];
  type: ColumnType;
}

export interface Head {
  /** Null if the browser cannot read the table: Parquet, YAML, or a large JSON document. */
  columns: FileColumn[] | null;
  /** The first complete rows as a file; null if the browser cannot find their end. */
  rows: Blob | null;
  /** `rows` has all rows of the file. */
  isWhole: boolean;
  /** The text of `rows`, to show a bad line. */
  text: string;
}

/** A neutral media type: the body is the file itself, not a form. */
export const BYTES = "application/octet-stream";
export const HEAD_BYTES = 1024 * 1024;
/** A file that the browser cannot cut is checked entirely up to this size. */
const MOST_UNCUT_BYTES = 20 * HEAD_BYTES;
const EXAMPLES = 3;
const MOST_COLUMNS = 200;
const MOST_ROWS = 200;
const MOST_CHARACTERS = 500;
const QUOTE = 0x22;
const LINE_END = 0x0a;

export async function readHead(file: File): Promise<Head> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const isComplete = file.size <= HEAD_BYTES;
  const kind = /\.(csv|tsv|jsonl|ndjson|json)$/i.exec(file.name)?.[1]?.toLowerCase();
  const isTable = kind === "csv" || kind === "tsv";
  const isLines = kind === "jsonl" || kind === "ndjson";
  const end = isComplete ? bytes.length : isTable ? lastRowEnd(bytes) : isLines ? bytes.lastIndexOf(LINE_END) + 1 : 0;
  const text = new TextDecoder().decode(bytes.subarray(0, end)).replace(/^\uFEFF/, "");
  const columns = isTable ? ofTable(text, kind === "tsv" ? "\t" : undefined) : isLines ? ofRecords(text.split("\n", MOST_ROWS).flatMap(record)) : kind === "json" && isComplete ? ofRecords(listOf(text)) : null;
  // The bytes that are checked are those that are imported, even if the file changes meanwhile.
  const rows = end > 0 || isComplete ? new Blob([bytes.slice(0, end)], { type: BYTES }) : file.size <= MOST_UNCUT_BYTES ? new Blob([await file.arrayBuffer()], { type: BYTES }) : null;
  return { columns, rows, isWhole: rows !== null && rows.size === file.size, text };
}

/** Return the position after the last line end that is not within quotes. */
function lastRowEnd(bytes: Uint8Array): number {
  let isQuoted = false;
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) isQuoted = !isQuoted;
    else if (bytes[at] === LINE_END && !isQuoted) end = at + 1;
  }
  return end;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (text: string) => [parsed(text)].flat().slice(0, MOST_ROWS).filter(isRecord);

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
  const columns = new Map<string, unknown[]>();
  for (const one of records) {
    for (const [name, value] of Object.entries(one)) {
      const values = columns.get(name) ?? [];
      if (columns.size < MOST_COLUMNS || values.length > 0) columns.set(name, values);
      if (value !== null && value !== "") values.push(value);
    }
  }
  return columns.size === 0 ? null : [...columns].map(([name, values]) => column(name, values, values.map(typeOf)));
}

function ofTable(text: string, separator: string | undefined): FileColumn[] | null {
  const firstLine = text.split(/\r?\n/, 1)[0] ?? "";
  const between = separator ?? [",", ";", "\t"].toSorted((a, b) => firstLine.split(b).length - firstLine.split(a).length)[0] ?? ",";
  const [header, ...rows] = rowsOf(text, between, MOST_ROWS + 1);
  if (!header) return null;
  return header
    .slice(0, MOST_COLUMNS)
    .map((name, index) => [name.trim(), rows.flatMap((row) => row[index] || [])] as const)
    .filter(([name]) => name !== "")
    .map(([name, values]) => column(name, values, values.map(typeOfCell)));
}

function column(name: string, values: readonly unknown[], types: readonly ColumnType[]): FileColumn {
  const kinds = new Set(types);
  const examples = values.slice(0, EXAMPLES).map((value) => (typeof value === "string" ? value : JSON.stringify(value)).slice(0, MOST_CHARACTERS));
  return { name, examples, type: kinds.size > 1 ? "mixed" : (types[0] ?? "empty") };
}

function typeOf(value: unknown): ColumnType {
  if (Array.isArray(value)) return "list";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "true or false";
  return typeof value === "string" ? "text" : "object";
}

/** Every cell is a text; JSON in it is what it looks like. */
function typeOfCell(cell: string): ColumnType {
  const text = cell.trim();
  if (/^[-+]?\d{1,30}([.,]\d{1,30})?$/.test(text)) return "number";
  if (/^(true|false)$/i.test(text)) return "true or false";
  const value = /^[[{]/.test(text) ? parsed(text) : null;
  return value === null ? "text" : typeOf(value);
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

/** Return pasted or typed rows as a file whose name says their format. */
export function fileOfText(text: string): File {
  const start = text.trimStart();
  const firstLine = start.split("\n", 1)[0] ?? "";
  const isList = start.startsWith("[") || (start.startsWith("{") && parsed(firstLine) === null);
  const extension = isList ? "json" : start.startsWith("{") ? "jsonl" : /^(- |version:)/.test(start) ? "yaml" : "csv";
  return new File([text], `pasted.${extension}`);
}
