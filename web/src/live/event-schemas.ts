/** Live events, validated on arrival: malformed events and unknown types are dropped.
 *
 * The schemas are generated; `satisfies` ties them to the types of the API, so that the two cannot differ. */

import type * as z from "zod/mini";
import { runEvent } from "@/api/generated/run-events";
import type { RunEvent } from "@/api/results";

runEvent satisfies z.ZodMiniType<RunEvent>;

/** An event as it arrives: numbered, where the schema leaves the number optional. */
export type LiveEvent = z.infer<typeof runEvent> & { run_seq: number };
export type LogEvent = Extract<LiveEvent, { type: "llmbench.run.logged.v1" }>;
export type ProgressEvent = Extract<LiveEvent, { type: "llmbench.run.progressed.v1" }>;
export type StatusEvent = Extract<LiveEvent, { type: "llmbench.run.status_changed.v1" }>;

/** The event, or null when this version of the page cannot read it. */
export function readEvent(value: unknown): LiveEvent | null {
  const result = runEvent.safeParse(value);
  return result.success && isNumbered(result.data) ? result.data : null;
}

const isNumbered = (event: z.infer<typeof runEvent>): event is LiveEvent => event.run_seq !== undefined;

export function parseEvent(body: string): LiveEvent | null {
  try {
    return readEvent(JSON.parse(body));
  } catch {
    return null;
  }
}
