/** The fields that the columns of a file are mapped to: the same words for tasks and for test cases. */

import type { MappedColumn } from "@/api/generated/config-api";
import { GRADE_NAMES } from "@/lib/grades";
import type { Destination } from "./import-plan";

/** The field of each column; a column without an entry is recognised by its name. */
export type ColumnMapping = ReadonlyMap<string, string>;

export const IGNORED = "ignore";

const EVERYWHERE: readonly (readonly [string, string])[] = [
  ["prompt", "Question"],
  ["expected_output", "Expected answer"],
  ["ground_truth.acceptable_answers", "Other accepted answers"],
  ["choices", "Choices"],
  ["context", "Context"],
  ["category", "Category"],
  ["system_prompt", "System prompt"],
  ["messages", "Messages of a chat"],
  ["id", "Id"],
  ["checks", "Checks"],
];
const OF_TASKS: readonly (readonly [string, string])[] = [
  ["subcategory", "Subcategory"],
  ...Object.entries(GRADE_NAMES),
];
const OF_CASES: readonly (readonly [string, string])[] = [
  ["ground_truth.citations", "Sources to cite"],
  ["conversation_id", "Id of the conversation"],
  ["turn", "Turn in its conversation"],
];

export const fieldsOf = (to: Destination) => [...EVERYWHERE, ...(to === "tasks" ? OF_TASKS : OF_CASES)];

/** Fields that a dataset keeps as metadata, where its results look for them. */
const AS_METADATA = new Set(["category", ...OF_TASKS.map(([field]) => field)]);

export const inDataset = (mapping: ColumnMapping): ColumnMapping => new Map([...mapping].map(([column, field]) => [column, AS_METADATA.has(field) ? `metadata.${field}` : field]));

/** Return the metadata field of a column: a name of letters, digits and underscores. */
export const metadataOf = (column: string) => `metadata.${column.trim().replaceAll(/[^\w.]+/g, "_")}`;

const LABELS = new Map([
  ...EVERYWHERE,
  ...OF_TASKS,
  ...OF_CASES,
  ["metadata.choices", "Choices"],
  ["metadata.category", "Category"],
  ["accepted_answers", "Other accepted answers"],
  ["conversation", "Earlier turns"],
  ["ground_truth", "Ground truth"],
  ["ground_truth.answer", "Expected answer"],
  ["metadata", "Metadata"],
  ["input", "Question"],
] as const);

/** Return the name of a field in the words of the screen. */
export function fieldLabel(field: string): string {
  const known = (LABELS as ReadonlyMap<string, string>).get(field);
  if (known !== undefined) return known;
  return field.startsWith("metadata.") ? `Metadata: ${field.slice("metadata.".length)}` : field === IGNORED ? "Left out" : field;
}

/** Return the field that the server recognised a column as, or null. */
export function recognisedAs(column: string, mapping: readonly MappedColumn[]): string | null {
  const found = mapping.find((one) => one.column === column);
  return found === undefined ? null : fieldLabel(found.field);
}
