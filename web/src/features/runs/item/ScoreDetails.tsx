import { Fragment, useState } from "react";
import type { ExtractionOut, ScoreOut } from "@/api/generated/orchestrator";
import { CheckList, type ShownCheck } from "@/components/CheckList";
import { PlainText } from "@/components/PlainText";
import { harmless } from "@/lib/plain-text";
import { TextBox } from "./Part";
import { ruleLabel } from "./rule-labels";

/** Show how a score was made: the compared parts, the checks, the judge's prompt and its reply. */
export default function ScoreDetails({ score }: { score: ScoreOut }) {
  return (
    <>
      {score.extraction && <Extraction read={score.extraction} />}
      {score.kind === "case_checks" && <Checked details={score.details} />}
      <Details details={score.details} />
      <Folded title="Judge prompt" closed text={score.judge_prompt} />
      <Folded title="Judge reply" text={score.judge_reply} />
    </>
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
