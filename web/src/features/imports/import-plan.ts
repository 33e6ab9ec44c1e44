/** The plan of an import: the destination of the rows, and the fields of their columns. */

import type { CollectionOut, ImportTasksApiArg } from "@/api/generated/config-api";
import type { FileCheckArg, VersionFormat } from "@/api/datasets";
import { plural } from "@/lib/format";
import { isUuid } from "@/lib/uuid";
import type { Checked } from "./checked";
import { inDataset, type ColumnMapping } from "./fields";

export type TaskFormat = NonNullable<ImportTasksApiArg["format"]>;
export type FileFormat = TaskFormat | VersionFormat;
export type OnConflict = NonNullable<ImportTasksApiArg["onConflict"]>;
export type Destination = "tasks" | "dataset";

export interface ImportPlan {
  to: Destination;
  /** Null derives the format from the file's name. */
  format: FileFormat | null;
  mapping: ColumnMapping;
  onConflict: OnConflict;
  skipBadRows: boolean;
  /** The id or name of a collection; empty for none. */
  collection: string;
  /** The category of tasks that have none; empty for the file's name. */
  category: string;
  /** The id of a dataset or the name of a new one. */
  dataset: string;
  /** The changes in this version. */
  description: string;
  /** Publish the version at once; otherwise it stays a draft. */
  publish: boolean;
}

export const USUAL_PLAN: ImportPlan = {
  to: "tasks",
  format: null,
  mapping: new Map(),
  onConflict: "reject",
  skipBadRows: false,
  collection: "",
  category: "",
  dataset: "",
  description: "",
  publish: false,
};

export const TASK_FORMATS: Readonly<Record<TaskFormat, string>> = {
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

const pairs = (mapping: ColumnMapping) => [...mapping].map((pair) => pair.join("="));

export function toTasks(rows: Blob, fileName: string, plan: ImportPlan, collections: readonly CollectionOut[], dryRun: boolean): ImportTasksApiArg {
  const wanted = plan.collection.trim();
  const isKnown = collections.some((one) => one.id === wanted);
  return {
    body: rows,
    fileName,
    dryRun,
    recognise: true,
    map: pairs(plan.mapping),
    onConflict: plan.onConflict,
    skipBadRows: plan.skipBadRows,
    ...(plan.format !== null && { format: plan.format as TaskFormat }),
    ...(plan.category.trim() !== "" && { category: plan.category.trim() }),
    // The list may lack a collection that the address names: the server knows it, or refuses the id.
    ...(isKnown || isUuid(wanted) ? { collectionId: wanted } : wanted !== "" && { collectionName: wanted }),
  };
}

export function toCases(rows: Blob, fileName: string, plan: ImportPlan): FileCheckArg {
  return { file: rows, fileName, map: pairs(inDataset(plan.mapping)), ...(plan.format !== null && { format: plan.format as VersionFormat }) };
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

/** Return the number of valid rows that were checked. */
export const goodRows = (checked: Pick<Checked, "rows" | "bad">) => checked.rows - checked.bad;

/** Return why the import would be refused with this plan; null if it would succeed. */
export function obstacle(checked: Pick<Checked, "rows" | "bad" | "isHeaderBad">, plan: ImportPlan): string | null {
  if (plan.to === "dataset" && plan.dataset.trim() === "") return "Choose a dataset, or type the name of a new one.";
  if (goodRows(checked) === 0) return "No row can be imported.";
  if (checked.isHeaderBad) return "The header is bad: correct the file and choose it again.";
  if (checked.bad === 0 || (plan.to === "tasks" && plan.skipBadRows)) return null;
  return `${plural(checked.bad, "row is", "rows are")} bad: correct the file and choose it again${plan.to === "tasks" ? ", or skip them" : ", or leave the column out"}.`;
}
