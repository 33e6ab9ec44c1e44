/** The columns that the items can have: every figure of an ItemRow, and what its excerpt has. */

import type { ItemRow, RunDetail } from "@/api/generated/orchestrator";
import { StateIcon } from "@/components/Chip";
import type { GridColumn } from "@/components/DataGrid";
import { formatCount, formatLatency, formatRate, formatScore, formatUsd } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { onScale, overallScale, type Scale } from "../overall-scale";
import { ANSWER_LABELS, failureLabel, itemLook } from "../run-words";
import { excerptColumns } from "./excerpt-cells";

const TASK = { id: "task", header: "Task", width: 142, grow: 1, sort: "task_id" } as const;
const STATUS: GridColumn<ItemRow> = { id: "status", header: "Status", width: 68, sort: "status", render: (row) => <StateIcon {...itemLook(row)} /> };
const SCORE = { id: "score", header: "Score", width: 76, align: "right", sort: "score" } as const;
const MORE_COLUMNS: readonly GridColumn<ItemRow>[] = [
  { id: "target", header: "Target", width: 120, grow: 1, sort: "target", render: (row) => <Text value={row.target_label} /> },
  { id: "model", header: "Model", width: 120, grow: 1, sort: "model", render: (row) => <Text value={row.model} faint /> },
  { id: "category", header: "Category", width: 140, grow: 1, sort: "category", render: (row) => <Text value={row.subcategory ? `${row.category} / ${row.subcategory}` : row.category} faint /> },
  { id: "reason", header: "Reason", title: "The judge’s reason, or why there is none", width: 230, grow: 3, render: (row) => (row.failure ? <Failure row={row} /> : <Text value={row.reason} faint />) },
  { id: "time", header: "Time", width: 72, align: "right", sort: "time_ms", render: (row) => <Time row={row} /> },
  { id: "ttft", header: "TTFT", title: "Time to first token", width: 72, align: "right", sort: "first_token_ms", render: (row) => formatLatency(row.first_token_ms) },
  { id: "tokens", header: "Tokens", title: "Prompt → completion", width: 96, align: "right", sort: "completion_tokens", render: (row) => <Tokens row={row} /> },
  { id: "prompt", header: "Prompt", title: "Tokens of the prompt", width: 72, align: "right", sort: "prompt_tokens", render: (row) => formatCount(row.prompt_tokens) },
  { id: "speed", header: "Tok/s", title: "Completion tokens per second", width: 68, align: "right", sort: "tokens_per_second", render: (row) => `${row.usage_source === "estimated" && row.tokens_per_second != null ? "~" : ""}${formatRate(row.tokens_per_second)}` },
  { id: "cost", header: "Cost", title: "In US dollars", width: 112, align: "right", sort: "cost_usd", render: (row) => formatUsd(row.cost_usd) },
  { id: "epoch", header: "Epoch", title: "Which of the task's answers", width: 60, align: "right", render: (row) => formatCount(row.epoch) },
  { id: "attempts", header: "Tries", title: "How often it was asked; a retry after the run counts from one again", width: 60, align: "right", sort: "attempts", render: (row) => formatCount(row.attempts) },
  { id: "finish", header: "Finish", title: "Why the answer ended", width: 80, sort: "finish_reason", render: (row) => <Finish row={row} /> },
];

/**
 * Return all columns, without those that would be constant or duplicate another. `itemHref` returns the link to an
 * item.
 */
export function itemColumns({ targets, evaluators }: Pick<RunDetail, "targets" | "evaluators">, itemHref: (id: string) => string): readonly GridColumn<ItemRow>[] {
  const scale = overallScale(evaluators);
  const named = targets.every((one) => one.label === one.model);
  const once = targets.every((one) => one.epochs === 1);
  const others = MORE_COLUMNS.filter(({ id }) => !(id === "model" && named) && !(id === "epoch" && once));
  return [
    { ...TASK, render: (row) => <TaskLink row={row} href={itemHref(row.id)} /> },
    STATUS,
    { ...SCORE, title: `From ${scale.low} to ${scale.high}`, render: (row) => <Score row={row} scale={scale} /> },
    ...others,
    ...excerptColumns(evaluators),
  ];
}

function TaskLink({ row, href }: { row: ItemRow; href: string }) {
  return (
    <a href={href} className="font-medium outline-offset-[-2px] hover:text-accent hover:underline">
      {harmless(row.task_id)}
    </a>
  );
}

function Text({ value, faint = false }: { value: string | null | undefined; faint?: boolean }) {
  if (!value) return null;
  return <bdi className={faint ? "text-ink-2" : ""}>{harmless(value)}</bdi>;
}

/** The finish reason, or the kind of an answer without text. */
function Finish({ row }: { row: ItemRow }) {
  const isCut = row.finish_reason === "length";
  const kind = row.answer_kind && row.answer_kind !== "text" ? ANSWER_LABELS[row.answer_kind] : null;
  if (isCut) return <span className="font-medium text-warn" title={`Cut at the token limit${kind ? `: ${kind}` : ""}`}>cut</span>;
  return kind ? <span className="text-ink-2" title={`The answer: ${kind}`}>{kind}</span> : <Text value={row.finish_reason} faint />;
}

function Score({ row, scale }: { row: ItemRow; scale: Scale }) {
  // With several evaluators, a single score is converted to the overall scale.
  const score = row.score_normalised == null ? row.score : onScale(scale, row.score_normalised);
  if (score == null) return null;
  const tone = row.passed == null ? "" : row.passed ? "text-good" : "text-bad";
  return (
    <span className={`font-medium ${tone}`}>
      {formatScore(score)}
      {row.passed != null && <span className="sr-only">{row.passed ? " passed" : " not passed"}</span>}
    </span>
  );
}

function Time({ row }: { row: ItemRow }) {
  if (!row.cached) return formatLatency(row.time_ms);
  return <span className="text-ink-3" title={`Taken from an earlier run, where it took ${formatLatency(row.time_ms)}`}>cached</span>;
}

function Tokens({ row }: { row: ItemRow }) {
  if (row.prompt_tokens == null && row.completion_tokens == null) return "–";
  return (
    <>
      <span className="text-ink-3">{formatCount(row.prompt_tokens)} → </span>
      {formatCount(row.completion_tokens)}
      {row.usage_source === "estimated" && <abbr title="Estimated: the provider reported no counts" className="no-underline"> ~</abbr>}
    </>
  );
}

function Failure({ row }: { row: ItemRow }) {
  if (!row.failure) return null;
  return <bdi className="text-bad">{harmless(`${failureLabel(row.failure.cause ?? row.failure.kind)}: ${row.failure.message}`)}</bdi>;
}
