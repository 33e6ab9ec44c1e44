import { Fragment, useState, type ReactNode } from "react";
import type { EvaluatorOut, ExtractionOut, ScoreOut } from "@/api/generated/orchestrator";
import { CheckList, type ShownCheck } from "@/components/CheckList";
import { Chip, StateText, type ChipLook } from "@/components/Chip";
import { PlainText } from "@/components/PlainText";
import { formatPercent, formatScore, formatUsd } from "@/lib/format";
import { judgedBy } from "@/lib/judged-by";
import { harmless } from "@/lib/plain-text";
import { Notes } from "./Notes";
import { Part, TextBox } from "./Part";
import { ruleLabel } from "./rule-labels";

function verdictLook(score: ScoreOut): ChipLook {
  if (score.outcome === null) return { label: score.status === "IN_PROGRESS" ? "Judging" : "Not judged yet", tone: "neutral", icon: "scale" };
  if (score.outcome !== "scored") return { label: score.outcome.replace(/^./, (letter) => letter.toUpperCase()), tone: "bad", icon: "cross" };
  if (score.passed === null) return { label: "Scored", tone: "info", icon: "scale" };
  return score.passed ? { label: "Passed", tone: "good", icon: "check" } : { label: "Not passed", tone: "bad", icon: "cross" };
}

/** Return an evaluator's name in the run; its title if it has no name of its own. */
function nameOf(score: ScoreOut, evaluators: readonly EvaluatorOut[]): string {
  const known = evaluators.find((one) => one.revision_id === score.evaluator_revision_id);
  // “By … corrected by people” follows this name.
  const title = evaluators.find((one) => one.revision_id === score.corrects)?.title ?? known?.title;
  return harmless(known && known.name === known.kind ? (title ?? score.evaluator) : score.evaluator);
}

const scoreId = (score: ScoreOut) => `score-${score.id}`;

interface Props {
  scores: readonly ScoreOut[];
  evaluators: readonly EvaluatorOut[];
}

/** An overview of all scores, above their details. A single score needs none. */
export function ScoreList({ scores, evaluators }: Props) {
  if (scores.length < 2) return null;
  return (
    <Part title="Scores">
      <ul className="divide-y divide-line rounded-md border border-line">
        {scores.map((score) => (
          <li key={score.id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-3 py-2 sm:grid-cols-[9rem_5rem_minmax(0,1fr)]">
            <button type="button" onClick={() => document.getElementById(scoreId(score))?.scrollIntoView()} className="self-start truncate text-left font-medium hover:text-accent hover:underline">
              {nameOf(score, evaluators)}{score.corrects && ", corrected"}
            </button>
            <span className="text-right whitespace-nowrap">
              <span className="font-semibold">{formatScore(score.raw)}</span>
              {score.raw !== null && <span className="text-xs text-ink-3"> of {formatScore(score.scale_max)}</span>}
            </span>
            <span className="col-span-2 min-w-0 sm:col-span-1">
              <StateText {...verdictLook(score)} />
              {(score.reason ?? score.error) && <PlainText text={score.reason ?? score.error ?? ""} maxLines={2} maxCharacters={200} className="text-xs text-ink-2" />}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** One score in detail: the evaluator's prompt, its reply and the verdict. */
export function ScoreView({ score, evaluators, overruling }: { score: ScoreOut; evaluators: readonly EvaluatorOut[]; overruling?: ReactNode }) {
  const name = nameOf(score, evaluators);
  const evaluator = evaluators.find((one) => one.revision_id === score.evaluator_revision_id);
  const by = judgedBy(evaluator ?? { ...score, panel: null }, evaluators);
  return (
    <Part anchor={scoreId(score)} title={`${name}, by ${by}`}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-3">
          {score.raw !== null && (
            <p>
              <span className="text-xl font-semibold">{formatScore(score.raw)}</span>
              <span className="text-ink-2"> of {formatScore(score.scale_max)}</span>
              {score.scale_min !== 0 && <span className="text-ink-3"> (from {formatScore(score.scale_min)}, {formatPercent(score.normalised)})</span>}
            </p>
          )}
          <Chip {...verdictLook(score)} />
          {score.by_person && <Chip label="By a person" tone="info" icon="pencil" />}
          {(score.attempts > 1 || score.cost_usd !== null) && (
            <span className="text-xs text-ink-3">
              {[score.attempts > 1 && `attempt ${score.attempts}`, score.cost_usd !== null && formatUsd(score.cost_usd)].filter(Boolean).join(" · ")}
            </span>
          )}
        </div>
        {score.reason && <PlainText text={score.reason} maxLines={20} />}
        {score.error && (
          <div className="rounded-md bg-bad-soft px-3 py-2 text-bad">
            <PlainText text={score.error} maxLines={12} />
          </div>
        )}
        {overruling}
        {score.extraction && <Extraction read={score.extraction} />}
        {score.kind === "case_checks" && <Checked details={score.details} />}
        <Details details={score.details} />
        <Folded title="Judge prompt" closed text={score.judge_prompt} />
        <Folded title="Judge reply" text={score.judge_reply} />
        <Notes notes={score.notes} redactions={score.redactions} />
      </div>
    </Part>
  );
}

function Folded({ title, text, closed = false }: { title: string; text: string | null; closed?: boolean }) {
  if (!text) return null;
  return (
    <details open={!closed}>
      <summary className="mb-1.5 cursor-pointer text-xs font-medium text-ink-2">{title}</summary>
      <TextBox text={text} />
    </details>
  );
}

/** The compared parts of the answer and of the reference. */
function Extraction({ read }: { read: ExtractionOut }) {
  const rows = [
    { from: "answer", text: read.answer, rule: read.answer_rule },
    ...(read.reference === null && read.reference_rule === null ? [] : [{ from: "reference", text: read.reference, rule: read.reference_rule }]),
  ];
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-1 rounded-md border border-line px-3 py-2 sm:grid-cols-[11rem_minmax(0,1fr)]">
      {rows.map(({ from, text, rule }) => (
        <Fragment key={from}>
          <dt className="text-xs leading-5 text-ink-2">Read from the {from}</dt>
          <dd className="min-w-0">
            {text === null ? <p className="text-ink-3">nothing</p> : text === "" ? <p className="text-ink-3">an empty text</p> : <PlainText text={text} maxLines={6} className="font-mono text-xs leading-5 break-words" />}
            {rule && <p className="text-xs text-ink-3" title={`The rule “${harmless(rule)}”`}>{harmless(ruleLabel(rule))}</p>}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Checked({ details }: { details: ScoreOut["details"] }) {
  return Array.isArray(details.checks) ? <CheckList checks={details.checks as ShownCheck[]} label="Checks" /> : null;
}

/** Further details of a score; they are rendered only when opened. */
function Details({ details: { extraction: _shownAbove, ...details } }: { details: ScoreOut["details"] }) {
  const [open, setOpen] = useState(false);
  if (Object.keys(details).length === 0) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-xs font-medium text-ink-2">How the score was computed</summary>
      {open && <div className="mt-1.5"><TextBox text={JSON.stringify(details, null, 2)} /></div>}
    </details>
  );
}
