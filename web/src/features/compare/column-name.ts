import type { ComparedColumn } from "@/api/generated/orchestrator";
import { harmless } from "@/lib/plain-text";

export function letterOf(at: number): string {
  return String.fromCharCode(65 + at);
}

/** Return a column's name for places without its card, such as `B: small model`. */
export function columnName(column: ComparedColumn | undefined, at: number): string {
  return `${letterOf(at)}: ${harmless(column?.label ?? "")}`;
}
