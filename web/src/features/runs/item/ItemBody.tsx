import { lazy, Suspense, useState, type ComponentProps, type ReactNode } from "react";
import type { Cost, EvaluatorOut, ItemDetail, ItemRow, RenderedPrompt, ScoreOut } from "@/api/generated/orchestrator";
import { Chip } from "@/components/Chip";
import { PlainText } from "@/components/PlainText";
import { formatCount, formatLatency, formatRate, formatUsd, MISSING, plural } from "@/lib/format";
import { withoutCopies } from "@/lib/judged-by";
import { harmless } from "@/lib/plain-text";
import { loadCode } from "@/live/reach";
import { failureLabel, itemLook, PHASE_LABELS, type AnswerKind } from "../run-words";
import type { Target } from "./against";
import { AnswerText } from "./AnswerText";
import { Notes } from "./Notes";
import { Part, TextBox } from "./Part";
import { CaseChecks, CaseGiven, CaseRight } from "./CaseParts";
import { promptOf } from "./prompt-of";
import { ScoreList } from "./ScoreList";
import { ScoreView } from "./ScoreView";

const Overruling = lazy(() => loadCode(() => import("./Overruling")));

const COST_SOURCES: Record<Cost["source"], string> = { reported: "reported", own_price: "own price", list_price: "list price" };

/** The text shown for an answer without text. */
const NO_TEXT: Partial<Record<AnswerKind, string>> = {
  reasoning: "The model wrote only its reasoning, and no answer.",
  media: "The answer is audio or images without a text; they are not kept.",
};
const NO_PLAIN_TEXT: Partial<Record<AnswerKind, string>> = {
  tool_calls: "The model called tools. Its calls are the last line, as JSON.",
  json: "The answer came as a JSON value, not as a text.",
  media: "The transcript of an answer in audio or images, which are not kept.",
};

interface Props {
  item: ItemDetail;
  row: ItemRow;
  evaluators: readonly EvaluatorOut[];
  actions?: ReactNode;
  /** The conversation up to this turn. */
  before?: ReactNode;
  /** The comments of people on the item. */
  comments?: ReactNode;
  /** True if the run is over, so that people may overrule its judges. */
  isOver?: boolean;
  /** The targets of the run, whose answers can be compared. */
  targets?: readonly Target[];
  /** The comparison that is shown (see `comparisonsOf`); null shows the answer as it is. */
  against?: string | null;
  onAgainst?: (value: string | null) => void;
}

const NO_TARGETS: readonly Target[] = [];

/** An item: its verdict with the reasons, then everything from question to scores in the order in which it happened. */
export function ItemBody({ item, row, evaluators, actions, before, comments, isOver = false, targets = NO_TARGETS, against = null, onAgainst }: Props) {
  const scores = withoutCopies(item.scores);
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <Chip {...itemLook(row)} />
          <span className="text-xs text-ink-2">
            {aboutItem(item, row).join(" · ")}
          </span>
        </div>
        {item.failure && (
          <div className="rounded-md bg-bad-soft px-3 py-2 text-bad">
            <p className="font-medium">
              Failed in {PHASE_LABELS[item.failure.phase].toLowerCase()}: {harmless(failureLabel(item.failure.cause ?? item.failure.kind))}
            </p>
            <PlainText text={item.failure.message} maxLines={12} />
          </div>
        )}
        {row.status === "SKIPPED" && item.reason && (
          <div className="rounded-md bg-sunken px-3 py-2 text-ink-2">
            <PlainText text={item.reason} maxLines={12} />
          </div>
        )}
        {row.status === "COMPLETED" && item.score === null && item.reason && (
          <div className="rounded-md bg-warn-soft px-3 py-2 text-warn">
            <PlainText text={item.reason} maxLines={12} />
          </div>
        )}
        <ScoreList scores={scores} evaluators={evaluators} />
        {actions}
        <Figures item={item} />
      </div>
      {item.system_prompt && <Part title="System prompt"><TextBox text={item.system_prompt} /></Part>}
      <CaseGiven case={item.case} />
      {before}
      {item.rendered ? <RenderedMessages rendered={item.rendered} question={item.case.question} /> : <Part title="Prompt"><TextBox text={promptOf(item)} /></Part>}
      {item.reasoning && (
        <Part title="Reasoning">
          <details>
            <summary className="cursor-pointer text-ink-2">What the model wrote before its answer, {plural(item.reasoning.length, "character")}</summary>
            <div className="mt-2"><TextBox text={item.reasoning} /></div>
          </details>
        </Part>
      )}
      <Part title="Answer"><Answer item={item} isFailed={row.status === "FAILED"} targets={targets} against={against} onAgainst={onAgainst} /></Part>
      <CaseRight case={item.case} />
      {!item.scores.some((score) => score.kind === "case_checks" && score.outcome === "scored") && <CaseChecks case={item.case} />}
      {scores.map((score) => <ScoreView key={score.id} score={score} evaluators={evaluators} overruling={isOver && isOfJudge(score, evaluators) && <Suspense><Overruling runId={item.run_id} itemId={item.id} score={score} name={harmless(score.evaluator)} /></Suspense>} />)}
      {comments}
      <div className="flex flex-col gap-2">
        <RawJson title="Request as sent" value={item.request} />
        <RawJson title="Response as received" value={item.response} />
        <RawJson title="Everything, as JSON" value={item} />
      </div>
    </div>
  );
}

/** Return whether a judge or a panel gave the score. An embedding model is no judge. */
function isOfJudge(score: ScoreOut, evaluators: readonly EvaluatorOut[]): boolean {
  const one = evaluators.find((each) => each.revision_id === score.evaluator_revision_id);
  return score.raw !== null && one !== undefined && !one.corrects && !one.member && (one.panel !== null || (one.judge_model !== null && one.params.embedding === undefined));
}

/** The messages that the target's prompt makes of the case, and the question that they are made of. */
function RenderedMessages({ rendered, question }: { rendered: RenderedPrompt; question: string }) {
  return (
    <>
      <Part title="Question"><TextBox text={question} /></Part>
      {rendered.system !== null && <Part title="System message of the prompt"><TextBox text={rendered.system} /></Part>}
      <Part title={`Prompt: ${harmless(rendered.name)}, version ${rendered.number}`}><TextBox text={rendered.user} /></Part>
    </>
  );
}

/** Return the facts of an item that the panel's title does not name. */
function aboutItem(item: ItemDetail, row: ItemRow): string[] {
  return [
    row.model === row.target_label ? "" : harmless(row.model),
    (row.attempts ?? 0) > 0 ? `attempt ${row.attempts}` : "",
    (item.epoch ?? 1) > 1 ? `epoch ${item.epoch}` : "",
    item.cached ? "answer from the cache" : "",
    harmless(item.subcategory ?? ""),
  ].filter((part) => part !== "");
}

function Answer({ item, isFailed, ...comparison }: Omit<ComponentProps<typeof AnswerText>, "answer"> & { isFailed: boolean }) {
  const isCut = item.finish_reason === "length";
  return (
    <div className="flex flex-col gap-2">
      {isCut && <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">Cut at the token limit{item.answer ? ": this is a part of an answer" : ""}. Raise max_tokens to get all of it.</p>}
      {item.refusal ? (
        <>
          <p className="text-ink-2">The model refused:</p>
          <TextBox text={item.refusal} />
        </>
      ) : item.answer === null ? (
        <p className="text-ink-2">{isFailed ? "There is no answer." : "No answer yet."}</p>
      ) : item.answer.trim() === "" ? (
        <p className="text-ink-2">{NO_TEXT[item.answer_kind ?? "empty"] ?? "The model answered with an empty text."}</p>
      ) : (
        <>
          {item.answer_kind && item.answer_kind !== "text" && <p className="text-xs text-ink-2">{NO_PLAIN_TEXT[item.answer_kind] ?? ""}</p>}
          <AnswerText item={item} answer={item.answer} {...comparison} />
        </>
      )}
      <Notes notes={item.notes} redactions={item.redactions} />
    </div>
  );
}

/** Rendered only when opened, because a response may be large. */
function RawJson({ title, value }: { title: string; value: unknown }) {
  const [open, setOpen] = useState(false);
  if (value === null || value === undefined) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-sm font-semibold">{title}</summary>
      {open && <div className="mt-2"><TextBox text={JSON.stringify(value, null, 2)} /></div>}
    </details>
  );
}

function Figures({ item }: { item: ItemDetail }) {
  const { timings, usage } = item;
  const about = usage?.source === "estimated" ? "~" : "";
  const tokens = (figure: string) => (figure === MISSING ? figure : `${about}${figure}`);
  const figures: [string, string][] = [
    ["Time", formatLatency(timings?.total_ms)],
    ["First token", formatLatency(timings?.first_token_ms)],
    ["First content", formatLatency(timings?.first_content_ms)],
    ["Tokens/s", tokens(formatRate(timings?.tokens_per_second))],
    ["Prompt tokens", tokens(formatCount(usage?.prompt_tokens))],
    ["Completion tokens", tokens(formatCount(usage?.completion_tokens))],
    ...(usage?.reasoning_tokens ? [["Reasoning tokens", formatCount(usage.reasoning_tokens)] as [string, string]] : []),
    ["Cost", `${formatUsd(item.cost?.usd)}${item.cost ? ` (${COST_SOURCES[item.cost.source]})` : ""}`],
    ["Finish reason", item.finish_reason ? harmless(item.finish_reason) : "–"],
  ];
  return (
    <>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line sm:grid-cols-4">
        {figures.map(([name, value]) => (
          <div key={name} className="px-3 py-2 shadow-[0_0_0_1px_var(--line)]">
            <dt className="text-xs text-ink-3">{name}</dt>
            <dd className="mt-0.5 font-medium wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {usage?.source === "estimated" && <p className="text-xs text-ink-3">The provider reported no token counts; these are estimates.</p>}
    </>
  );
}
