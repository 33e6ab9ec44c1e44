import type { RunSummary } from "@/api/generated/orchestrator";
import { formatDate } from "@/lib/format";

/** Return when a queued run is expected to start. */
export function startText(queue: RunSummary["queue"]): string {
  return queue?.estimated_start ? `Expected to start at ${formatDate(queue.estimated_start)}` : "Its start cannot be estimated yet";
}

/** Return the place of a queued run and its expected start, as a sentence. */
export function turnText(queue: RunSummary["queue"]): string {
  if (!queue) return "Waits for its turn.";
  return `Number ${queue.position} in the queue${queue.priority === 0 ? "" : `, priority ${queue.priority}`}. ${startText(queue)}.`;
}
