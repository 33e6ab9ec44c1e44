/** The states of a run and its parts: their looks and the allowed actions. */

import type { ClusterLevel, GroupOut, GroupStatus, ItemRow, ItemStatus, RunOutcome, RunPhase, RunStatus, RunSummary, RunType } from "@/api/generated/orchestrator";
import type { LogEvent } from "@/live/event-schemas";
import type { ChipLook } from "@/components/Chip";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

export const RUN_STATUSES = ["QUEUED", "PENDING", "RUNNING", "PAUSING", "PAUSED", "FINISHED", "CANCELLED"] as const satisfies readonly RunStatus[];

const RUN_LOOKS: Record<RunStatus, ChipLook> = {
  QUEUED: { label: "Queued", tone: "neutral", icon: "clock" },
  PENDING: { label: "Pending", tone: "neutral", icon: "clock" },
  RUNNING: { label: "Running", tone: "info", icon: "play" },
  PAUSING: { label: "Pausing", tone: "warn", icon: "pause" },
  PAUSED: { label: "Paused", tone: "warn", icon: "pause" },
  FINISHED: { label: "Finished", tone: "good", icon: "check" },
  CANCELLED: { label: "Cancelled", tone: "neutral", icon: "ban" },
};

/** Return the look of a run's state; green only if every item has its score. */
export function runLook(status: RunStatus, outcome?: RunOutcome | null): ChipLook {
  if (status === "FINISHED" && outcome === "partial") return { label: "Finished, partial", tone: "warn", icon: "alert" };
  if (status === "FINISHED" && outcome === "failed") return { label: "Failed", tone: "bad", icon: "cross" };
  return RUN_LOOKS[status];
}

export function runStatusLabel(status: RunStatus): string {
  return RUN_LOOKS[status].label;
}

export const PHASES = ["BENCHMARKING", "JUDGING"] as const satisfies readonly RunPhase[];
export const PHASE_LABELS: Record<RunPhase, string> = { BENCHMARKING: "Benchmarking", JUDGING: "Judging" };

/** Labels of runs that evaluate given answers; such runs cannot be started again. */
export const EVALUATION_LABELS: Record<Exclude<RunType, "BENCHMARK">, string> = { SINGLE: "Evaluation of one output", BATCH: "Evaluation of outputs", JUDGE_CHECK: "Check of a judge", PLAYGROUND: "Question of the playground" };

export type RunAction = "pause" | "resume" | "cancel";

const ALLOWED: Record<RunStatus, readonly RunAction[]> = {
  QUEUED: ["cancel"],
  PENDING: ["cancel"],
  RUNNING: ["pause", "cancel"],
  PAUSING: ["cancel"],
  PAUSED: ["resume", "cancel"],
  FINISHED: [],
  CANCELLED: [],
};

export function allows(status: RunStatus, action: RunAction): boolean {
  return ALLOWED[status].includes(action);
}

export function isOver(status: RunStatus): boolean {
  return status === "FINISHED" || status === "CANCELLED";
}

export const GROUP_LOOKS: Record<GroupStatus, ChipLook> = {
  WAITING: { label: "Waiting", tone: "neutral", icon: "clock" },
  WARMING_UP: { label: "Warming up", tone: "warn", icon: "spark" },
  OPEN: { label: "Running", tone: "info", icon: "play" },
  RELEASING: { label: "Releasing", tone: "info", icon: "down" },
  CLOSED: { label: "Done", tone: "good", icon: "check" },
  FAILED: { label: "Failed", tone: "bad", icon: "cross" },
};

/** Return the look of a group; a group whose provider account is empty waits for the user, not for its turn. */
export function groupLook(group: Pick<GroupOut, "status" | "out_of_credit_reason">, run: RunStatus): ChipLook {
  // A cancelled run leaves its groups in their last state.
  if (run === "CANCELLED" && group.status === "WAITING") return { label: "Not started", tone: "neutral", icon: "ban" };
  if (run === "CANCELLED" && group.status !== "CLOSED" && group.status !== "FAILED") return { label: "Stopped", tone: "neutral", icon: "ban" };
  if (group.status === "WAITING" && group.out_of_credit_reason) return { label: "Out of credit", tone: "bad", icon: "alert" };
  if (run === "PAUSED" && group.status === "OPEN") return { label: "Paused", tone: "warn", icon: "pause" };
  return GROUP_LOOKS[group.status];
}

export const ITEM_STATUSES = ["NEW", "IN_PROGRESS", "WAITING_FOR_JUDGE", "JUDGING", "COMPLETED", "FAILED", "SKIPPED"] as const satisfies readonly ItemStatus[];

export type AnswerKind = NonNullable<ItemRow["answer_kind"]>;

/** The kinds of content of an answer. */
export const ANSWER_KINDS = ["text", "tool_calls", "json", "media", "reasoning", "empty"] as const satisfies readonly AnswerKind[];

export const ANSWER_LABELS: Record<AnswerKind, string> = {
  text: "text",
  tool_calls: "tool calls",
  json: "JSON value",
  media: "audio, images",
  reasoning: "only reasoning",
  empty: "empty",
};

export const ITEM_LOOKS: Record<ItemStatus, ChipLook> = {
  NEW: { label: "New", tone: "neutral", icon: "ring" },
  IN_PROGRESS: { label: "In progress", tone: "info", icon: "play" },
  WAITING_FOR_JUDGE: { label: "Waiting for judge", tone: "neutral", icon: "clock" },
  JUDGING: { label: "Judging", tone: "info", icon: "scale" },
  COMPLETED: { label: "Completed", tone: "good", icon: "check" },
  FAILED: { label: "Failed", tone: "bad", icon: "cross" },
  SKIPPED: { label: "Skipped", tone: "neutral", icon: "ban" },
};

/** Return the look of an item: its verdict if it has one, else its state. Green only if it passed. */
export function itemLook({ status, passed }: Pick<ItemRow, "status" | "passed">): ChipLook {
  const look = ITEM_LOOKS[status];
  if (status !== "COMPLETED") return look;
  return passed == null ? { ...look, tone: "neutral" } : passed ? { ...look, label: "Passed" } : { label: "Not passed", tone: "bad", icon: "down" };
}

export type LogKind = NonNullable<LogEvent["kind"]>;
export const LOG_KINDS = ["prompt", "answer", "judge_prompt", "verdict", "note"] as const satisfies readonly LogKind[];
export const LOG_LABELS: Record<LogKind, string> = {
  prompt: "Prompt",
  answer: "Answer",
  judge_prompt: "Judge prompt",
  verdict: "Verdict",
  note: "Note",
};

/** Return a cause in words: `timed_out` is “timed out”. */
export function failureLabel(kind: string): string {
  return kind.replaceAll("_", " ");
}

/** Return `200 of 1,000 cases, stratified, seed 7`. */
export function sampleText({ taken, of, strategy, seed, tags = [] }: NonNullable<RunSummary["sample"]>): string {
  const tagged = tags.length > 0 ? ` with the ${tags.length === 1 ? "tag" : "tags"} ${tags.map(harmless).join(", ")}` : "";
  return `${formatCount(taken)} of ${plural(of, "case")}${tagged}, ${strategy}, seed ${seed}`;
}

const CLUSTERS: Record<Exclude<ClusterLevel, "metadata">, [string, string]> = {
  case: ["case", "cases"],
  conversation: ["conversation", "conversations"],
  document: ["document", "documents"],
};

/** Return the unit by which a run's figures are clustered: `document`, or the run's metadata key. */
export function clusteredBy(run: Pick<RunSummary, "cluster_by" | "cluster_level">): string {
  return run.cluster_level === "metadata" ? harmless(run.cluster_by ?? "") : CLUSTERS[run.cluster_level][0];
}

/** Return `12 documents` or `12 values of topic`; empty if each case is a cluster. */
export function clusterCount(run: Pick<RunSummary, "cluster_by" | "cluster_level">, count: number): string {
  if (run.cluster_level === "case") return "";
  if (run.cluster_level === "metadata") return `${plural(count, "value")} of ${clusteredBy(run)}`;
  return plural(count, ...CLUSTERS[run.cluster_level]);
}
