/** Failed items by their cause. */

import type { ItemRow, RunPhase } from "@/api/generated/orchestrator";

export interface Cause {
  key: string;
  phase: RunPhase;
  /** Old failures have no cause: use their kind. */
  cause: string;
  ids: string[];
  /** Labels of the affected targets. */
  targets: string[];
  /** The messages, the most frequent first. */
  messages: { message: string; count: number }[];
}

/** The most frequent cause first. */
export function causesOf(rows: Iterable<ItemRow>): Cause[] {
  const causes = new Map<string, Cause>();
  for (const row of rows) {
    if (row.status !== "FAILED" || !row.failure) continue;
    const { phase, message } = row.failure;
    const word = row.failure.cause ?? row.failure.kind;
    const key = `${phase} ${word}`;
    const cause = causes.get(key) ?? { key, phase, cause: word, ids: [], targets: [], messages: [] };
    causes.set(key, cause);
    cause.ids.push(row.id);
    if (!cause.targets.includes(row.target_label)) cause.targets.push(row.target_label);
    const known = cause.messages.find((one) => one.message === message);
    if (known) known.count += 1;
    else cause.messages.push({ message, count: 1 });
  }
  for (const cause of causes.values()) cause.messages.sort((a, b) => b.count - a.count);
  return [...causes.values()].toSorted((a, b) => b.ids.length - a.ids.length);
}
