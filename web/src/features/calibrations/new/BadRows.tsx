import { harmless } from "@/lib/plain-text";

interface BadRow {
  line: number;
  field: string | null;
  message: string;
}

const isBadRow = (value: unknown): value is BadRow => typeof value === "object" && value !== null && typeof Reflect.get(value, "line") === "number" && typeof Reflect.get(value, "message") === "string";

/** The rows of a refused file with their errors. */
export function BadRows({ body }: { body: Readonly<Record<string, unknown>> }) {
  const rows = Array.isArray(body.bad_rows) ? body.bad_rows.filter(isBadRow) : [];
  if (rows.length === 0) return null;
  return (
    <ul aria-label="Bad rows" className="card flex max-h-80 flex-col gap-1 overflow-y-auto px-4 py-3" tabIndex={0}>
      {rows.map((row, at) => <li key={at} className="wrap-anywhere">Line {row.line}{row.field ? `, ${harmless(row.field)}` : ""}: {harmless(row.message)}</li>)}
    </ul>
  );
}
