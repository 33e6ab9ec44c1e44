/** Live events, checked at the door: what is malformed or of an unknown type is left out.
 *
 * The schemas are tied to the generated types by `satisfies`, so a renamed field fails the build. */

import * as z from "zod/mini";
import type { RunEvent } from "@/api/runs";
import type { CurrentWork, ItemRow } from "@/api/generated/orchestrator";

// Compiled parsers need `new Function`, which the Content-Security-Policy forbids.
z.config({ jitless: true });

const phase = z.enum(["BENCHMARKING", "JUDGING"]);
const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));
const base = { run_id: z.string(), run_seq: z.number(), at: z.string() };

const itemRow = z.object({
  id: z.string(),
  position: z.number(),
  task_id: z.string(),
  category: z.string(),
  subcategory: maybe(z.string()),
  target_id: z.string(),
  target_label: z.string(),
  model: z.string(),
  epoch: z.optional(z.number()),
  status: z.enum(["NEW", "IN_PROGRESS", "WAITING_FOR_JUDGE", "JUDGING", "COMPLETED", "FAILED"]),
  attempts: z.optional(z.number()),
  score: maybe(z.number()),
  score_normalised: maybe(z.number()),
  passed: maybe(z.boolean()),
  reason: maybe(z.string()),
  failure: maybe(z.object({ phase, kind: z.string(), message: z.string(), retryable: z.boolean() })),
  time_ms: maybe(z.number()),
  first_token_ms: maybe(z.number()),
  first_content_ms: maybe(z.number()),
  prompt_tokens: maybe(z.number()),
  completion_tokens: maybe(z.number()),
  reasoning_tokens: maybe(z.number()),
  usage_source: maybe(z.enum(["reported", "estimated"])),
  tokens_per_second: maybe(z.number()),
  finish_reason: maybe(z.string()),
  cost_usd: maybe(z.number()),
  cached: z.optional(z.boolean()),
  score_revision_id: maybe(z.string()),
  answer_kind: maybe(z.enum(["text", "tool_calls", "json", "media", "reasoning", "empty"])),
}) satisfies z.ZodMiniType<ItemRow>;

const currentWork = z.object({
  group_id: z.string(),
  group_status: z.enum(["WAITING", "WARMING_UP", "OPEN", "RELEASING", "CLOSED", "FAILED"]),
  provider_name: z.string(),
  model: z.string(),
  target_label: maybe(z.string()),
  item_id: maybe(z.string()),
  task_id: maybe(z.string()),
  backoff_until: maybe(z.string()),
  backoff_reason: maybe(z.string()),
}) satisfies z.ZodMiniType<CurrentWork>;

const runEvent = z.discriminatedUnion("type", [
  z.object({
    ...base,
    type: z.literal("llmbench.run.status_changed.v1"),
    status: z.enum(["QUEUED", "PENDING", "RUNNING", "PAUSING", "PAUSED", "FINISHED", "CANCELLED"]),
    phase,
    outcome: maybe(z.enum(["complete", "partial", "failed"])),
    reason: maybe(z.string()),
  }),
  z.object({
    ...base,
    type: z.literal("llmbench.run.progressed.v1"),
    phase,
    items: z.number(),
    answered: z.number(),
    judged: z.number(),
    failed: z.number(),
    cost_usd: z.optional(z.number()),
    current: maybe(currentWork),
  }),
  z.object({ ...base, type: z.literal("llmbench.run.item_changed.v1"), item: itemRow }),
  z.object({
    ...base,
    type: z.literal("llmbench.run.logged.v1"),
    level: z.optional(z.enum(["info", "warning", "error"])),
    kind: z.optional(z.enum(["prompt", "answer", "judge_prompt", "verdict", "note"])),
    text: z.string(),
    truncated: z.optional(z.boolean()),
    item_id: maybe(z.string()),
    task_id: maybe(z.string()),
    target_label: maybe(z.string()),
    model: maybe(z.string()),
  }),
]) satisfies z.ZodMiniType<RunEvent>;

/** An event as it arrives: numbered, where the API's type leaves the number optional. */
export type LiveEvent = z.infer<typeof runEvent>;
export type LogEvent = Extract<LiveEvent, { type: "llmbench.run.logged.v1" }>;
export type ProgressEvent = Extract<LiveEvent, { type: "llmbench.run.progressed.v1" }>;
export type StatusEvent = Extract<LiveEvent, { type: "llmbench.run.status_changed.v1" }>;

/** The event, or null when this version of the page cannot read it. */
export function readEvent(value: unknown): LiveEvent | null {
  const result = runEvent.safeParse(value);
  return result.success ? result.data : null;
}

export function parseEvent(body: string): LiveEvent | null {
  try {
    return readEvent(JSON.parse(body));
  } catch {
    return null;
  }
}
