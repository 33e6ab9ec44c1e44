/** URLs of comparisons, shared by every screen that links to one. */

export interface ColumnRef {
  runId: string;
  targetId: string;
}

export function columnParam({ runId, targetId }: ColumnRef): string {
  return `${runId}:${targetId}`;
}

/** Return the URL that compares targets side by side; the first is the baseline. */
export function compareColumnsHref(columns: readonly ColumnRef[]): string {
  return `/compare?${new URLSearchParams(columns.map((one) => ["column", columnParam(one)]))}`;
}

/** Return the URL that compares runs; the screen pairs their targets. The first is the baseline. */
export function compareRunsHref(runIds: readonly string[]): string {
  return `/compare?${new URLSearchParams(runIds.map((id) => ["run", id]))}`;
}

/** Return the URL of a comparison's report in HTML; `query` names the columns, or the runs and their pairs. */
export function comparisonReportHref(query: readonly (readonly [string, string])[]): string {
  return `/api/comparisons/report?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`;
}

/** Return the URL of the compared cases as CSV; `query` is that of the list. Null and empty values are left out. */
export function comparedCasesHref(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => (one === null || one === undefined ? [] : [[name, String(one)]])),
  );
  return `/api/comparisons/cases/export?${new URLSearchParams(given)}`;
}

/** The API's maximum number of columns. */
export const MOST_COLUMNS = 8;
