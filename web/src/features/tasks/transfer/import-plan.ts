/** The plan of an import: a file of tasks and its options. */

import type { CollectionOut, ImportResult, ImportTasksApiArg } from "@/api/generated/config-api";
import { plural } from "@/lib/format";

export interface ChosenFile {
  name: string;
  /** Read once: the preview and the import use the same content even if the file changes. */
  content: Blob;
  text: string;
}

export type FileFormat = NonNullable<ImportTasksApiArg["format"]>;
export type OnConflict = NonNullable<ImportTasksApiArg["onConflict"]>;

export interface ImportPlan {
  /** Null derives the format from the file's name. */
  format: FileFormat | null;
  onConflict: OnConflict;
  skipBadRows: boolean;
  /** The id or name of a collection; empty for none. */
  collection: string;
}

export const USUAL_PLAN: ImportPlan = { format: null, onConflict: "reject", skipBadRows: false, collection: "" };

export const FORMAT_NAMES: Readonly<Record<FileFormat, string>> = {
  csv: "CSV",
  json: "JSON",
  jsonl: "JSON Lines",
  yaml: "YAML",
  promptfoo: "promptfoo",
  "openai-evals": "OpenAI Evals",
};

export const CONFLICT_WORDS: Readonly<Record<OnConflict, { label: string; hint: string }>> = {
  reject: { label: "Refuse it", hint: "A row whose task exists counts as bad." },
  skip: { label: "Leave the task as it is", hint: "Rows whose task exists are skipped." },
  update: { label: "Replace the task", hint: "The task takes the file’s values. An equal task stays unchanged." },
};

export async function readFile(file: File): Promise<ChosenFile> {
  const bytes = await file.arrayBuffer();
  // A neutral media type: the body is the file itself, not a form.
  return { name: file.name, content: new Blob([bytes], { type: "application/octet-stream" }), text: new TextDecoder().decode(bytes) };
}

export function toRequest(file: ChosenFile, plan: ImportPlan, collections: readonly CollectionOut[], dryRun: boolean): ImportTasksApiArg {
  const wanted = plan.collection.trim();
  const there = collections.find((one) => one.id === wanted);
  return {
    body: file.content,
    fileName: file.name,
    dryRun,
    onConflict: plan.onConflict,
    skipBadRows: plan.skipBadRows,
    ...(plan.format !== null && { format: plan.format }),
    ...(there ? { collectionId: there.id } : wanted !== "" && { collectionName: wanted }),
  };
}

/** Return a line of the file verbatim, to show the error in it. */
export function lineOf(text: string, line: number): string {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0) return "";
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? undefined : end).replace(/\r$/, "");
}

/** Return the number of valid tasks in the file, changed or not. */
export const goodRows = (result: ImportResult) => result.row_count - (result.bad_row_count ?? 0);

/** Return why the import would be refused with this plan; null if it would succeed. */
export function obstacle(result: ImportResult, plan: ImportPlan): string | null {
  const bad = result.bad_row_count ?? 0;
  if (goodRows(result) === 0) return "No row can be imported.";
  if (bad > 0 && !plan.skipBadRows) return `${plural(bad, "row is", "rows are")} bad: correct the file and choose it again, or skip them.`;
  return null;
}
