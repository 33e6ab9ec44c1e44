import { lazy, Suspense, useId, useState } from "react";
import type { ItemDetail, RunDetail } from "@/api/generated/orchestrator";
import { useGetItemQuery } from "@/api/results";
import { StateIcon } from "@/components/Chip";
import { CopyButton } from "@/components/CopyButton";
import { DiffView } from "@/components/DiffView";
import { Markdown } from "@/components/Markdown";
import { Skeleton } from "@/components/Message";
import { PlainText } from "@/components/PlainText";
import { ProblemNote } from "@/components/Problem";
import { formatCount, formatLatency, formatScore, formatUsd } from "@/lib/format";
import { withoutCopies } from "@/lib/judged-by";
import { nearestReference } from "@/lib/nearest-reference";
import { harmless } from "@/lib/plain-text";
import { referencesOf } from "@/lib/references";
import { loadCode } from "@/live/reach";
import type { RunStore } from "@/live/run-store";
import { againstOne } from "../item/against";
import { TextBox } from "../item/Part";
import ReferenceDiff from "../item/ReferenceDiff";
import { RetryItem } from "../item/RetryItem";
import { useItem } from "../item/use-item";
import { failureLabel, itemLook } from "../run-words";
import { ItemMenu } from "./ItemMenu";
import { atText, traceOf } from "./trace";

const ItemComments = lazy(() => loadCode(() => import("../item/Comments")));

export interface Reading {
  form: "rendered" | "raw" | "diff";
  /** The base of the differences: the nearest reference, one by its name (`reference Good`), or the id of a target. */
  against: string;
}

interface Props {
  run: RunDetail;
  store: RunStore;
  itemId: string;
  /** The item of the target that differences are shown against. */
  baseId: string | null;
  reading: Reading;
}

/** The answer of one target: its scores, its text, and how it came about. */
export function AnswerCard({ run, store, itemId, baseId, reading }: Props) {
  const heading = useId();
  const { row, item, error, isError } = useItem(run.id, store, itemId);
  const label = row?.target_label ?? item?.target_label ?? "";
  return (
    <li className="card flex min-w-0 flex-col">
      <header className="flex items-center justify-between gap-2 border-b border-line py-2 pr-2 pl-4">
        <h2 id={heading} className="flex min-w-0 items-center gap-2 font-semibold">
          {(row ?? item) && <StateIcon {...itemLook((row ?? item)!)} />}
          <span className="truncate" title={label}>{harmless(label)}</span>
        </h2>
        <span className="flex items-center">
          {item && <CopyButton label={`Copy the answer of ${harmless(label)}`} iconOnly text={() => item.answer ?? ""} />}
          {item && <ItemMenu run={run} item={item} />}
        </span>
      </header>
      <div className="flex min-w-0 flex-1 flex-col gap-3 px-4 py-3">
        {isError ? <ProblemNote error={error} /> : item ? <Body run={run} store={store} item={item} baseId={baseId} reading={reading} /> : <Skeleton className="h-32" />}
      </div>
    </li>
  );
}

function Body({ run, store, item, baseId, reading }: { run: RunDetail; store: RunStore; item: ItemDetail; baseId: string | null; reading: Reading }) {
  const { timings, usage, cost } = item;
  return (
    <>
      <Scores item={item} />
      {item.failure && <p className="rounded-md bg-bad-soft px-3 py-2 wrap-anywhere text-bad">{harmless(`${failureLabel(item.failure.cause ?? item.failure.kind)}: ${item.failure.message}`)}</p>}
      <RetryItem run={run} store={store} item={item} />
      {item.finish_reason === "length" && <p className="text-xs font-medium text-warn">Cut at the token limit: this is a part of an answer.</p>}
      <div className="flex-1"><Answer run={run} item={item} baseId={baseId} reading={reading} /></div>
      <p className="text-xs text-ink-3">
        {[formatLatency(timings?.total_ms), usage?.completion_tokens != null && `${formatCount(usage.completion_tokens)} tokens`, cost && formatUsd(cost.usd), item.cached && "from the cache"].filter(Boolean).join(" · ")}
      </p>
      <Trace item={item} />
      <Comments runId={run.id} item={item} />
    </>
  );
}

/** Each evaluator's score with its extracted value and its reason. */
export function Scores({ item }: { item: Pick<ItemDetail, "scores"> }) {
  if (item.scores.length === 0) return null;
  return (
    <ul aria-label="Scores" className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {withoutCopies(item.scores).map((score) => (
        <li key={score.id} className={score.reason || score.error ? "min-w-0 basis-full" : "min-w-0"}>
          <span className="text-ink-2">{harmless(score.evaluator)}{score.by_person && " by a person"}</span>{" "}
          <span className={`font-medium ${score.passed === null ? "" : score.passed ? "text-good" : "text-bad"}`}>{score.raw === null ? (score.outcome ?? "–") : formatScore(score.raw)}</span>
          {score.passed !== null && <span className="sr-only">{score.passed ? " passed" : " not passed"}</span>}
          {score.extraction?.answer != null && <span className="text-ink-3"> read “{harmless(score.extraction.answer.slice(0, 80))}”</span>}
          {score.reason && <PlainText text={score.reason} maxLines={2} maxCharacters={200} className="text-ink-2" />}
          {score.error && <PlainText text={score.error} maxLines={2} maxCharacters={200} className="text-bad" />}
        </li>
      ))}
    </ul>
  );
}

function Answer({ run, item, baseId, reading }: { run: RunDetail; item: ItemDetail; baseId: string | null; reading: Reading }) {
  const text = item.refusal ?? item.answer ?? "";
  const { data: base } = useGetItemQuery({ runId: run.id, itemId: baseId ?? "" }, { skip: reading.form !== "diff" || baseId === null || baseId === item.id });
  if (text.trim() === "") return <p className="text-ink-2">{item.status === "FAILED" ? "There is no answer." : item.answer === null ? "No answer yet." : "The answer has no text."}</p>;
  if (reading.form === "raw") return <TextBox text={text} />;
  if (reading.form === "rendered") return <Markdown text={text} />;
  const references = referencesOf(item.case);
  const chosen = references.find(([name]) => reading.against === againstOne(name));
  const isTarget = run.targets.some(({ id }) => id === reading.against);
  const reference = isTarget ? undefined : (chosen ?? nearestReference(references, text));
  if (reference) return <ReferenceDiff reference={reference} answer={text} />;
  if (baseId === item.id) return <><p className="mb-1 text-xs text-ink-3">The others are compared with this answer.</p><PlainText text={text} /></>;
  if (!base?.answer) return <><p className="mb-1 text-xs text-ink-3">There is nothing to compare with.</p><PlainText text={text} /></>;
  return <DiffView before={base.answer} after={text} />;
}

/** The comments are asked for when they are opened. */
function Comments({ runId, item }: { runId: string; item: ItemDetail }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="border-t border-line pt-2 text-xs" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer font-medium text-ink-2">Comments</summary>
      {open && <div className="mt-2"><Suspense fallback={<Skeleton className="h-16" />}><ItemComments runId={runId} itemId={item.id} label={`Comments on ${harmless(item.target_label ?? "")}`} /></Suspense></div>}
    </details>
  );
}

/** The steps are made when they are opened, because a response may be large. */
function Trace({ item }: { item: ItemDetail }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="border-t border-line pt-2 text-xs" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer font-medium text-ink-2">How it came about</summary>
      {open && (
        <ol className="mt-2 flex flex-col gap-2">
          {traceOf(item).map((step, index) => (
            <li key={index} className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-2">
              <span className="text-ink-3">{atText(step)}</span>
              <div className={`min-w-0 wrap-anywhere ${step.bad ? "text-bad" : ""}`}>
                {harmless(step.what)}
                {step.text && <PlainText text={step.text} maxLines={6} maxCharacters={600} className="mt-0.5 text-ink-2" />}
              </div>
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}
