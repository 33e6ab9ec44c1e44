/** The findings of the server in the rows, in one form for tasks and for test cases. */

import type { BadRowOut, CheckedCase, FileCheck, ImportNote, ImportResult, MappedColumn, PreviewedTask, RightAnswers } from "@/api/generated/config-api";
import { fieldLabel } from "./fields";

export interface PreviewedCase {
  line: number;
  name: string;
  question: string;
  answers: string[];
  /** The other fields, as pairs of name and text. */
  others: [string, string][];
  change?: PreviewedTask["change"];
}

export interface Checked {
  format: string;
  rows: number;
  bad: number;
  isHeaderBad: boolean;
  faults: BadRowOut[];
  notes: ImportNote[];
  noteCount: number;
  warnings: string[];
  mapping: MappedColumn[];
  right: RightAnswers;
  cases: PreviewedCase[];
  /** The result of a dry run; null for test cases. */
  tasks: ImportResult | null;
}

export function ofTasks(result: ImportResult): Checked {
  return {
    format: result.format,
    rows: result.row_count,
    bad: result.bad_row_count ?? 0,
    isHeaderBad: false,
    faults: result.bad_rows ?? [],
    notes: result.notes ?? [],
    noteCount: result.note_count ?? 0,
    warnings: [],
    mapping: result.mapping ?? [],
    right: result.right_answers ?? {},
    cases: (result.preview ?? []).map(previewedTask),
    tasks: result,
  };
}

export function ofCases(check: FileCheck): Checked {
  return {
    format: check.format,
    rows: check.row_count,
    bad: check.bad_row_count,
    isHeaderBad: check.bad_rows.some((one) => one.line === null),
    faults: check.bad_rows,
    notes: [],
    noteCount: 0,
    warnings: check.warnings,
    mapping: check.mapping,
    right: check.right_answers,
    cases: check.preview.map(previewedCase),
    tasks: null,
  };
}

const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const fields = (named: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(named)
    .filter(([, value]) => value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => [name, text(value)]);

/** The fields of a task have the names of the screens; those of its metadata have their own. */
const named = (others: Readonly<Record<string, unknown>>): [string, string][] => fields(others).map(([name, value]) => [fieldLabel(name), value]);

function previewedTask({ line, change, task }: PreviewedTask): PreviewedCase {
  const { task_id: name, question, accepted_answers: answers, metadata, excellent, ...others } = task;
  return { line, change, name, question, answers: [...(answers ?? []), ...(excellent ? [excellent] : [])], others: [...named(others), ...fields(metadata ?? {})] };
}

function previewedCase({ line, name, input, expected_output: expected, ground_truth: truth, metadata, checks }: CheckedCase): PreviewedCase {
  const { prompt, ...others } = input;
  const { answer, acceptable_answers: accepted, ...rest } = truth ?? {};
  const answers = [expected, answer, ...(Array.isArray(accepted) ? (accepted as unknown[]) : [])].filter((one) => typeof one === "string");
  return { line, name, question: text(prompt), answers: [...new Set(answers)], others: fields({ ...others, ...rest, ...metadata, checks }) };
}
