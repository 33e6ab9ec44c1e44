/** The changes of a task since a run copied it: of the request, and of what answers are compared with. */

import type { TaskOut } from "@/api/generated/config-api";
import type { Case } from "@/api/generated/orchestrator";
import { referencesOf } from "@/lib/references";

export interface Change {
  name: string;
  /** Empty if the case did not have it. */
  before: string;
  after: string;
}

export interface Changes {
  /** Parts of the request: with any of them the model has to be asked again. */
  asked: Change[];
  references: Change[];
}

export function changesOf(one: Case, task: TaskOut): Changes {
  const now = asCase(task);
  return { asked: differing(askedOf(one), askedOf(now)), references: differing(rightOf(one), rightOf(now)) };
}

/** A task as a run would copy it now. */
const asCase = (task: TaskOut): Case => ({ ...task, ground_truth: { acceptable_answers: task.accepted_answers } }) as unknown as Case;

const lines = (all: readonly unknown[]) => all.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");

function askedOf({ question, system_prompt: system, conversation }: Case): Map<string, string> {
  return new Map([
    ["Question", question],
    ["System prompt", system ?? ""],
    ["Conversation before it", lines((conversation ?? []).map(({ role, content }) => `${role}: ${String(content)}`))],
  ]);
}

function rightOf(one: Case): Map<string, string> {
  const checks = (one.checks ?? []).map(({ kind, params, weight, negate }) => [kind, Object.entries(params ?? {}).toSorted(), weight ?? 1, negate ?? false]);
  return new Map([...referencesOf(one), ["Checks", lines(checks)]]);
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Change[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.map((name) => ({ name, before: before.get(name) ?? "", after: after.get(name) ?? "" })).filter((one) => one.before !== one.after);
}
