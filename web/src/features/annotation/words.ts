/** Words for annotation tasks, their questions and labels. */

import type { AnnotationSchema, AnnotationStatus, AnnotatorStatus, Field, FieldType } from "@/api/generated/config-api";
import type { ChipLook } from "@/components/Chip";
import { MISSING } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

export const TASK_LOOKS: Readonly<Record<AnnotationStatus, ChipLook>> = {
  DRAFT: { label: "Draft", tone: "neutral", icon: "pencil" },
  ACTIVE: { label: "Active", tone: "info", icon: "play" },
  PAUSED: { label: "Paused", tone: "warn", icon: "pause" },
  COMPLETED: { label: "Completed", tone: "good", icon: "check" },
};
export const TASK_STATES = Object.keys(TASK_LOOKS) as AnnotationStatus[];

export const ANNOTATOR_LOOKS: Readonly<Record<AnnotatorStatus, ChipLook>> = {
  ACTIVE: { label: "Active", tone: "good", icon: "check" },
  INACTIVE: { label: "Inactive", tone: "neutral", icon: "pause" },
  BLOCKED: { label: "Blocked", tone: "bad", icon: "ban" },
};

export const TYPE_NAMES: Readonly<Record<FieldType, string>> = {
  classification: "Classification",
  rating: "Rating",
  ranking: "Ranking",
  text: "Text",
  pairwise: "Comparison of two answers",
  spans: "Marked passages",
};
export const FIELD_TYPES = Object.keys(TYPE_NAMES) as FieldType[];

/** The only field of a schema that has no `fields`. */
const SINGLE_FIELD = "label";
export const PAIR = ["a", "b", "tie"] as const;
const PAIR_NAMES: Readonly<Record<string, string>> = { a: "The first answer", b: "The second answer", tie: "Neither is better" };

export type Labels = Readonly<Record<string, unknown>>;

/** Return the fields that are asked for, in order. */
export function questionsOf(schema: AnnotationSchema): Field[] {
  if (schema.fields && schema.fields.length > 0) return schema.fields;
  return schema.type ? [{ name: SINGLE_FIELD, type: schema.type, options: schema.options ?? [], scale: schema.scale ?? null, multiple: schema.multiple ?? false }] : [];
}

export const titleOf = (field: Pick<Field, "name" | "title">): string => harmless(field.title ?? (field.name === SINGLE_FIELD ? "Your label" : field.name.replaceAll("_", " ")));

/** Return the question as the head of an answer: a colon follows unless it ends with a sign of its own. */
export const headOf = (field: Pick<Field, "name" | "title">): string => titleOf(field).replace(/(?<![?!:.])$/, ":");

export interface Choice {
  value: string | number;
  label: string;
  detail: string | null;
}

/** Return the values among which a field lets people choose; none for texts. */
export function choicesOf(field: Field): Choice[] {
  if (field.type === "pairwise") return PAIR.map((value) => ({ value, label: PAIR_NAMES[value]!, detail: null }));
  if (field.scale) {
    const { min, max, labels = {} } = field.scale;
    return Array.from({ length: max - min + 1 }, (_, place) => ({ value: min + place, label: String(min + place), detail: labels[String(min + place)] ?? null }));
  }
  return (field.options ?? []).map(({ value, label, description }) => ({ value, label: harmless(label ?? value), detail: description ?? null }));
}

/** Return whether the field is asked for, given the labels of the fields before it. */
export function isAsked(field: Field, labels: Labels): boolean {
  if (!field.only_if) return true;
  const given = labels[field.only_if.field];
  const chosen: readonly unknown[] = Array.isArray(given) ? given : [given];
  return field.only_if.values.some((value) => chosen.includes(value));
}

/** Return the labels of the fields that are asked for: a changed answer may take a question back. */
export function askedLabels(fields: readonly Field[], labels: Labels): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const field of fields) {
    if (labels[field.name] !== undefined && isAsked(field, kept)) kept[field.name] = labels[field.name];
  }
  return kept;
}

/** Return whether the label answers its question. */
export function isGiven(field: Field, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === "string") return value.trim() !== "";
  if (!Array.isArray(value)) return true;
  // Without a passage to mark, none is an answer.
  return field.type === "spans" || (field.type === "ranking" ? value.length === (field.options?.length ?? 0) : value.length > 0);
}

/** Return the fields that still need a label. */
export const missingFields = (fields: readonly Field[], labels: Labels): Field[] =>
  fields.filter((field) => field.required !== false && isAsked(field, labels) && !isGiven(field, labels[field.name]));

interface Span {
  start: number;
  end: number;
  label: string;
}

export const spansOf = (value: unknown): Span[] => (Array.isArray(value) ? (value as Span[]) : []);

/** Return a label as a person reads it. */
export function labelText(field: Field | undefined, value: unknown): string {
  if (value === undefined || value === null) return MISSING;
  const named = (one: unknown) => (field ? choicesOf(field).find((choice) => choice.value === one)?.label : undefined) ?? harmless(String(one));
  if (field?.type === "spans") return spansOf(value).map(({ start, end, label }) => `${named(label)} ${start}–${end}`).join(", ") || "Nothing marked";
  if (Array.isArray(value)) return value.map(named).join(field?.type === "ranking" ? " > " : ", ");
  return typeof value === "object" ? harmless(JSON.stringify(value)) : named(value);
}

/** Return the person's share of the gold items that are labelled right, in words. */
export const goldText = (right: number, total: number) => (total === 0 ? MISSING : `${right} of ${total}`);
