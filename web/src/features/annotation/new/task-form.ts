/** The form of a new annotation task, and the request that it becomes. */

import type { AnnotationTaskIn, AnswerPriority, Field, FieldType } from "@/api/generated/config-api";
import { FIELD_TYPES } from "../words";

export interface FieldForm {
  /** Identifies the field while its name changes. */
  key: string;
  name: string;
  title: string;
  help: string;
  type: FieldType;
  required: boolean;
  multiple: boolean;
  /** One option a line: `value`, or `value: label`. */
  options: string;
  min: number | null;
  max: number | null;
  /** One level a line: `5: Excellent`. */
  levels: string;
  /** The field on which this one depends; empty for none. */
  dependsOn: string;
  /** The values of that field, separated by commas. */
  dependsOnValues: string;
}

export interface TaskForm {
  name: string;
  description: string;
  /** The items: the cases of a version, or the answers of a run. */
  what: "cases" | "answers";
  versionId: string;
  runId: string;
  /** The targets of the run; empty for all. */
  targetIds: readonly string[];
  pairs: boolean;
  named: boolean;
  /** The order of the answers outside the audit slice; empty for a random one. */
  priority: AnswerPriority | "";
  instructions: string;
  fields: readonly FieldForm[];
  required: number | null;
  leaseMinutes: number | null;
  limitSeconds: number | null;
  allowSkip: boolean;
  showReference: boolean;
  strategy: "random" | "stratified";
  sampleSize: number | null;
  stratifyBy: string;
  seed: number | null;
  /** The audit slice, in per cent. */
  auditPercent: number | null;
  /** A JSON list of cases or answers with their labels. */
  gold: string;
}

let made = 0;
export const MOST_FIELDS = 20;

export function newField(before: readonly Pick<FieldForm, "name">[], type: FieldType = FIELD_TYPES[0]!): FieldForm {
  made += 1;
  const taken = new Set(before.map((one) => one.name));
  let number = before.length + 1;
  while (taken.has(`field_${number}`)) number += 1;
  return {
    key: `field-${made}`, name: before.length === 0 ? "verdict" : `field_${number}`, title: "", help: "", type, required: true, multiple: false,
    options: "good: Good\nbad: Bad", min: 1, max: 5, levels: "", dependsOn: "", dependsOnValues: "",
  };
}

export const newTask = (): TaskForm => ({
  name: "", description: "", what: "cases", versionId: "", runId: "", targetIds: [], pairs: false, named: false, priority: "", instructions: "", fields: [newField([])], required: 3, leaseMinutes: 15, limitSeconds: null, allowSkip: true,
  showReference: false, strategy: "random", sampleSize: null, stratifyBy: "", seed: null, auditPercent: 30, gold: "",
});

const lines = (text: string): [string, string | null][] =>
  text.split("\n").flatMap((line) => {
    const at = line.indexOf(":");
    const value = (at < 0 ? line : line.slice(0, at)).trim();
    const label = at < 0 ? "" : line.slice(at + 1).trim();
    return value === "" ? [] : [[value, label === "" ? null : label] as [string, string | null]];
  });

const hasOptions = (type: FieldType) => type === "classification" || type === "ranking" || type === "spans";

/** Return the field as the API takes it. */
export function fieldOf(form: FieldForm, before: readonly FieldForm[]): Field {
  const on = before.find((one) => one.name === form.dependsOn);
  const values = form.dependsOnValues.split(",").map((one) => one.trim()).filter((one) => one !== "");
  return {
    name: form.name.trim(),
    type: form.type,
    required: form.required,
    ...(form.title.trim() !== "" && { title: form.title.trim() }),
    ...(form.help.trim() !== "" && { help: form.help.trim() }),
    ...(hasOptions(form.type) && { options: lines(form.options).map(([value, label]) => ({ value, label })) }),
    ...(form.type === "classification" && form.multiple && { multiple: true }),
    ...(form.type === "rating" && { scale: { min: form.min ?? 1, max: form.max ?? 5, labels: Object.fromEntries(lines(form.levels).map(([level, label]) => [level, label ?? level])) } }),
    ...(form.dependsOn !== "" && { only_if: { field: form.dependsOn, values: on?.type === "rating" ? values.map(Number) : values } }),
  };
}

export type GoldRead = { gold: NonNullable<AnnotationTaskIn["gold"]>; fault?: undefined } | { gold?: undefined; fault: string };

export function readGold(text: string): GoldRead {
  if (text.trim() === "") return { gold: [] };
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return { gold: value as NonNullable<AnnotationTaskIn["gold"]> };
  } catch {
    // Described below like a value of another kind.
  }
  return { fault: 'Write a JSON list such as [{"case": "case-1", "labels": {"verdict": "good"}}].' };
}

/** Return whether the task may have gold items. The order of a pair is drawn at random, so pairs have none. */
export const hasGold = (form: TaskForm) => form.what === "cases" || !form.pairs;

/** Return the request. The server checks it completely; what is missing here is named by `lackingIn`. */
export function requestOf(form: TaskForm): AnnotationTaskIn {
  return {
    name: form.name.trim(),
    description: form.description.trim() || null,
    ...(form.what === "cases" ? { dataset_version_id: form.versionId } : { run: { run_id: form.runId, target_ids: [...form.targetIds], pairs: form.pairs, named: form.named } }),
    instructions: form.instructions,
    annotation_schema: { fields: form.fields.map((one, place) => fieldOf(one, form.fields.slice(0, place))) },
    required_annotations_per_item: form.required ?? 3,
    allow_skip: form.allowSkip,
    show_reference: form.showReference,
    time_limit_seconds: form.limitSeconds,
    lease_s: Math.round((form.leaseMinutes ?? 15) * 60),
    sampling_config: {
      ...(form.what === "cases" ? { strategy: form.strategy } : form.priority === "" ? { strategy: "random" as const } : { strategy: "priority" as const, priority: form.priority }),
      sample_size: form.sampleSize,
      stratify_by: form.what === "cases" && form.strategy === "stratified" ? form.stratifyBy.trim() : null,
      seed: form.seed,
      audit_share: (form.auditPercent ?? 0) / 100,
    },
    gold: hasGold(form) ? (readGold(form.gold).gold ?? []) : [],
  };
}

/** Return what the form lacks, by the request's paths. */
export function lackingIn(form: TaskForm): Record<string, string> {
  const faults: Record<string, string> = {};
  if (form.name.trim() === "") faults.name = "Name the task.";
  if (form.what === "cases" && form.versionId === "") faults.dataset_version_id = "Choose a published version.";
  if (form.what === "answers" && form.runId === "") faults["run.run_id"] = "Choose a run.";
  if (form.what === "answers" && form.pairs && !form.fields.some((one) => one.type === "pairwise")) faults["run.pairs"] = "Pairs need a question of the type “Comparison of two answers”.";
  if (form.instructions.trim() === "") faults.instructions = "Tell people what to do.";
  if (form.what === "cases" && form.strategy === "stratified" && form.stratifyBy.trim() === "") faults["sampling_config.stratify_by"] = "Name a field of the metadata.";
  for (const [place, field] of form.fields.entries()) {
    const path = `annotation_schema.fields.${place}`;
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,59}$/.test(field.name.trim())) faults[`${path}.name`] = "Begin with a letter; then letters, digits, _ and - only.";
    if (hasOptions(field.type) && lines(field.options).length < (field.type === "spans" ? 1 : 2)) faults[`${path}.options`] = "Write one option a line.";
    if (field.dependsOn !== "" && field.dependsOnValues.trim() === "") faults[`${path}.only_if`] = "Name the values for which this field is asked.";
  }
  const fault = readGold(form.gold).fault;
  if (hasGold(form) && fault !== undefined) faults.gold = fault;
  return faults;
}
