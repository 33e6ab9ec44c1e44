/** The steps by which an item got its answer and its scores, with times. The reasons of the scores are shown above them. */

import type { ItemDetail } from "@/api/generated/orchestrator";
import { formatCount, formatLatency, formatScore, formatUsd, plural } from "@/lib/format";
import { withoutCopies } from "@/lib/judged-by";

export interface Step {
  /** Milliseconds after the call began; null where none was recorded. */
  atMs: number | null;
  what: string;
  text?: string;
  bad?: boolean;
}

export interface ToolCall {
  name: string;
  args: string;
}

/** Return the tool calls of a chat response, whose form is not known in advance. */
export function toolCallsOf(response: unknown): ToolCall[] {
  const choices = field(response, "choices");
  const calls = Array.isArray(choices) ? choices.flatMap((choice: unknown) => field(field(choice, "message"), "tool_calls") ?? []) : [];
  return (calls as unknown[]).flatMap((call) => {
    const made = field(call, "function");
    const name = field(made, "name");
    const args = field(made, "arguments");
    return typeof name === "string" ? [{ name, args: typeof args === "string" ? args : JSON.stringify(args ?? {}) }] : [];
  });
}

const field = (value: unknown, name: string): unknown => (typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined);

const tokens = (count: number | null | undefined) => (count == null ? "" : `, ${plural(count, "token")}`);

export function traceOf(item: ItemDetail): Step[] {
  const { timings, usage, cost } = item;
  const steps: Step[] = [];
  if (item.cached) steps.push({ atMs: null, what: "Answer taken from an earlier call" });
  const tries = item.attempts ?? 1;
  if (tries > 1) steps.push({ atMs: null, what: `${formatCount(tries - 1)} earlier ${tries === 2 ? "attempt" : "attempts"} failed`, bad: true });
  if (item.request !== null) steps.push({ atMs: 0, what: `Request sent${tokens(usage?.prompt_tokens)}` });
  if (timings?.first_token_ms != null) steps.push({ atMs: timings.first_token_ms, what: "First token" });
  if (item.reasoning) steps.push({ atMs: null, what: `Reasoning${tokens(usage?.reasoning_tokens)}`, text: item.reasoning });
  if (timings?.first_content_ms != null && timings.first_content_ms !== timings.first_token_ms) steps.push({ atMs: timings.first_content_ms, what: "First part of the answer" });
  for (const call of toolCallsOf(item.response)) steps.push({ atMs: null, what: `Tool call: ${call.name}`, text: call.args });
  if (timings) steps.push({ atMs: timings.total_ms, what: `Answer complete${tokens(usage?.completion_tokens)}${item.finish_reason ? `, ${item.finish_reason}` : ""}${cost ? `, ${formatUsd(cost.usd)}` : ""}` });
  if (item.failure) steps.push({ atMs: null, what: `Failed: ${item.failure.message}`, bad: true });
  for (const note of item.notes) steps.push({ atMs: null, what: note });
  for (const score of withoutCopies(item.scores)) {
    const result = score.outcome === "scored" && score.raw !== null ? `${formatScore(score.raw)} of ${formatScore(score.scale_max)}` : (score.outcome ?? "not scored yet");
    const by = score.by_person ? " by a person" : score.judge_model ? ` by ${score.judge_model}` : "";
    steps.push({ atMs: null, what: `${score.evaluator}${by}: ${result}`, bad: score.passed === false || score.outcome === "errored" });
  }
  return steps;
}

export const atText = ({ atMs }: Step) => (atMs === null ? "" : `+${formatLatency(atMs)}`);
