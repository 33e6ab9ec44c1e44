// Made by codegen/run-events.mjs from docs/generated/schemas; `make gen` writes it anew.

import * as z from "zod/mini";

// Compiled parsers need `new Function`, which the Content-Security-Policy forbids.
z.config({ jitless: true });

/** The last parts of `/topic/run/{runId}/…`. */
export const RUN_TOPICS = ["item","log","progress","status"] as const;

const itemStatus = z.enum(["NEW","IN_PROGRESS","WAITING_FOR_JUDGE","JUDGING","COMPLETED","FAILED","SKIPPED"]);

const runPhase = z.enum(["BENCHMARKING","JUDGING"]);

const itemFailure = z.object({
  phase: runPhase,
  kind: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  cause: z.optional(z.nullable(z.string())),
});

const itemRow = z.object({
  id: z.string(),
  position: z.number(),
  task_id: z.string(),
  category: z.string(),
  subcategory: z.optional(z.nullable(z.string())),
  target_id: z.string(),
  target_label: z.string(),
  model: z.string(),
  epoch: z.optional(z.number()),
  status: itemStatus,
  attempts: z.optional(z.number()),
  score: z.optional(z.nullable(z.number())),
  score_normalised: z.optional(z.nullable(z.number())),
  passed: z.optional(z.nullable(z.boolean())),
  reason: z.optional(z.nullable(z.string())),
  failure: z.optional(z.nullable(itemFailure)),
  time_ms: z.optional(z.nullable(z.number())),
  first_token_ms: z.optional(z.nullable(z.number())),
  first_content_ms: z.optional(z.nullable(z.number())),
  prompt_tokens: z.optional(z.nullable(z.number())),
  completion_tokens: z.optional(z.nullable(z.number())),
  reasoning_tokens: z.optional(z.nullable(z.number())),
  usage_source: z.optional(z.nullable(z.enum(["reported","estimated"]))),
  tokens_per_second: z.optional(z.nullable(z.number())),
  finish_reason: z.optional(z.nullable(z.string())),
  cost_usd: z.optional(z.nullable(z.number())),
  cached: z.optional(z.boolean()),
  score_revision_id: z.optional(z.nullable(z.string())),
  conversation_id: z.optional(z.nullable(z.string())),
  turn: z.optional(z.nullable(z.number())),
  answer_kind: z.optional(z.nullable(z.enum(["text","tool_calls","json","media","reasoning","empty"]))),
  suite_task: z.optional(z.nullable(z.string())),
});

const itemChanged = z.object({
  type: z.literal("llmbench.run.item_changed.v1"),
  run_id: z.string(),
  run_seq: z.optional(z.number()),
  at: z.string(),
  item: itemRow,
});

const logKind = z.enum(["prompt","answer","judge_prompt","verdict","note"]);

const runLogged = z.object({
  type: z.literal("llmbench.run.logged.v1"),
  run_id: z.string(),
  run_seq: z.optional(z.number()),
  at: z.string(),
  level: z.optional(z.enum(["info","warning","error"])),
  kind: z.optional(logKind),
  text: z.string(),
  truncated: z.optional(z.boolean()),
  item_id: z.optional(z.nullable(z.string())),
  task_id: z.optional(z.nullable(z.string())),
  target_label: z.optional(z.nullable(z.string())),
  model: z.optional(z.nullable(z.string())),
});

const groupStatus = z.enum(["WAITING","WARMING_UP","OPEN","RELEASING","CLOSED","FAILED"]);

const currentWork = z.object({
  group_id: z.string(),
  group_status: groupStatus,
  provider_name: z.string(),
  model: z.string(),
  target_label: z.optional(z.nullable(z.string())),
  item_id: z.optional(z.nullable(z.string())),
  task_id: z.optional(z.nullable(z.string())),
  backoff_until: z.optional(z.nullable(z.string())),
  backoff_reason: z.optional(z.nullable(z.string())),
});

const runProgressed = z.object({
  type: z.literal("llmbench.run.progressed.v1"),
  run_id: z.string(),
  run_seq: z.optional(z.number()),
  at: z.string(),
  phase: runPhase,
  items: z.number(),
  answered: z.number(),
  judged: z.number(),
  failed: z.number(),
  skipped: z.optional(z.number()),
  cost_usd: z.optional(z.number()),
  current: z.optional(z.nullable(currentWork)),
  others: z.optional(z.nullable(z.array(currentWork))),
});

const runStatus = z.enum(["QUEUED","PENDING","RUNNING","PAUSING","PAUSED","FINISHED","CANCELLED"]);

const runOutcome = z.enum(["complete","partial","failed"]);

const gateVerdict = z.enum(["pending","fine","worse","undecided","low coverage","not judged","the judge changed"]);

const gateNews = z.object({
  verdict: gateVerdict,
  passed: z.optional(z.nullable(z.boolean())),
  sentence: z.optional(z.nullable(z.string())),
});

const runStatusChanged = z.object({
  type: z.literal("llmbench.run.status_changed.v1"),
  run_id: z.string(),
  run_seq: z.optional(z.number()),
  at: z.string(),
  status: runStatus,
  phase: runPhase,
  outcome: z.optional(z.nullable(runOutcome)),
  reason: z.optional(z.nullable(z.string())),
  gate: z.optional(z.nullable(gateNews)),
});

export const runEvent = z.discriminatedUnion("type", [itemChanged, runLogged, runProgressed, runStatusChanged]);
