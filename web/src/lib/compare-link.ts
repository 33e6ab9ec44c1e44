/** URLs of comparisons, shared by every screen that links to one. */

export interface ColumnRef {
  runId: string;
  targetId: string;
}

export function columnParam({ runId, targetId }: ColumnRef): string {
  return `${runId}:${targetId}`;
}

/** These targets side by side; the first is the baseline. */
export function compareColumnsHref(columns: readonly ColumnRef[]): string {
  return `/compare?${new URLSearchParams(columns.map((one) => ["column", columnParam(one)]))}`;
}

/** These runs: the screen finds which of their targets belong together. The first is the baseline. */
export function compareRunsHref(runIds: readonly string[]): string {
  return `/compare?${new URLSearchParams(runIds.map((id) => ["run", id]))}`;
}

/** The API compares no more at once. */
export const MOST_COLUMNS = 8;
