import { useId } from "react";
import { skipToken } from "@reduxjs/toolkit/query/react";
import type { ItemDetail, ItemOut } from "@/api/generated/orchestrator";
import { useGetItemQuery } from "@/api/results";
import { CopyButton } from "@/components/CopyButton";
import { Markdown } from "@/components/Markdown";
import { PlainText } from "@/components/PlainText";
import { ProblemNote } from "@/components/Problem";
import { formatCount, formatLatency, formatScore, formatUsd } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import type { Streamed } from "./streamed";

interface Props {
  runId: string;
  row: ItemOut;
  provider: string;
  /** The part of the answer that has arrived. */
  streamed: Streamed | undefined;
}

/** The answer of one model: as it arrives, then as it is stored. */
export function AnswerColumn({ runId, row, provider, streamed }: Props) {
  const heading = useId();
  const isWaiting = row.status === "NEW" || row.status === "IN_PROGRESS";
  const { currentData: item, error } = useGetItemQuery(isWaiting ? skipToken : { runId, itemId: row.id });
  return (
    <li aria-labelledby={heading} aria-busy={isWaiting} className="card flex min-w-0 flex-col">
      <header className="flex items-center justify-between gap-2 border-b border-line py-2 pr-2 pl-4">
        <h2 id={heading} className="min-w-0 truncate font-semibold" title={harmless(row.target_label)}>
          {harmless(row.target_label)} <span className="text-xs font-normal text-ink-3">{harmless(provider)}</span>
        </h2>
        {item && <CopyButton label={`Copy the answer of ${harmless(row.target_label)}`} iconOnly text={() => item.answer ?? ""} />}
      </header>
      <div className="flex min-w-0 flex-col gap-3 px-4 py-3">
        {error !== undefined && <ProblemNote error={error} />}
        {item ? <Stored item={item} /> : <Arriving streamed={streamed} isStarted={row.status !== "NEW"} />}
      </div>
    </li>
  );
}

function Arriving({ streamed, isStarted }: { streamed: Streamed | undefined; isStarted: boolean }) {
  if (!streamed) return <p className="text-ink-3">{isStarted ? "Waiting for the first words…" : "Waits for its turn."}</p>;
  return streamed.content !== "" ? <PlainText text={streamed.content} /> : <p className="text-ink-3">Thinking… ({formatCount(streamed.reasoning.length)} characters)</p>;
}

function Stored({ item }: { item: ItemDetail }) {
  const { timings, usage, cost } = item;
  const text = item.refusal ?? item.answer ?? "";
  const facts = [formatLatency(timings?.total_ms), timings?.first_token_ms != null && `first token ${formatLatency(timings.first_token_ms)}`, usage?.completion_tokens != null && `${formatCount(usage.completion_tokens)} tokens`, cost && formatUsd(cost.usd)];
  return (
    <>
      {item.failure && <p className="rounded-md bg-bad-soft px-3 py-2 wrap-anywhere text-bad">{harmless(item.failure.message)}</p>}
      {item.scores.length > 0 && (
        <ul aria-label="Scores" className="flex flex-col gap-1">
          {item.scores.map((score) => (
            <li key={score.id} className="wrap-anywhere">
              <span className={`font-medium ${score.passed === null ? "" : score.passed ? "text-good" : "text-bad"}`}>{score.raw === null ? (score.outcome ?? "–") : formatScore(score.raw)}</span>{" "}
              <span className="text-ink-2">{harmless(`${score.evaluator}${score.judge_model ? ` by ${score.judge_model}` : ""}: ${score.reason ?? score.error ?? "not judged yet"}`)}</span>
            </li>
          ))}
        </ul>
      )}
      {text.trim() !== "" ? <Markdown text={text} /> : !item.failure && <p className="text-ink-2">The answer has no text.</p>}
      {item.finish_reason === "length" && <p className="text-xs font-medium text-warn">Cut at the token limit: this is a part of an answer.</p>}
      <p className="text-xs text-ink-3">{facts.filter(Boolean).join(" · ")}</p>
    </>
  );
}
