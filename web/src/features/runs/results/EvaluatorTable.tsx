import { Fragment, useState } from "react";
import type { EvaluatorOut, EvaluatorTargetOut, JudgeFiguresOut, LengthBaseline, PanelAgreement } from "@/api/generated/orchestrator";
import { Icon } from "@/components/Icon";
import { zoomedAxis, type Axis } from "@/components/charts/axis";
import { AxisEnds, IntervalBar } from "@/components/IntervalBar";
import { formatCount, formatFixed, formatPart, formatPercent, formatScore, formatUsd, MISSING, plural } from "@/lib/format";
import { judgedBy } from "@/lib/judged-by";
import { harmless } from "@/lib/plain-text";
import { CELL, HEAD } from "./FiguresTable";

/** The correlation from which length strongly explains the score. */
const MUCH = 0.5;

const COLUMNS = [
  ["Evaluator"],
  ["Mean score", "On its own scale, in percent of it"],
  ["Pass rate", "Of the answers with a pass verdict"],
  ["Scored"],
  ["Unparsed", "The judge’s reply was not a verdict"],
  ["Refused", "The judge refused to answer"],
  ["Errored", "Nothing to compare with, or a call that failed"],
  ["Pending"],
  ["Weight", "In the overall score of an answer"],
  ["Length", "Spearman’s correlation of scores with the lengths of answers: near 1 or −1, length alone explains them"],
  ["Cost"],
] as const;

interface Props {
  evaluators: readonly EvaluatorOut[];
  /** Promotes a revision to primary; absent while the run is active. */
  onPromote?: (evaluator: EvaluatorOut) => void;
}

/** One line per evaluator revision: scores of different judges are never mixed. */
export function EvaluatorTable({ evaluators, onPromote }: Props) {
  const names = evaluators.map((one) => one.name);
  // Rows that are opened later share the axis, so that nothing is redrawn then.
  const all = evaluators.flatMap((one) => [one, ...one.targets]);
  const axes = {
    score: zoomedAxis(all.map((one) => ({ value: one.mean_score, interval: one.mean_score_interval }))),
    pass: zoomedAxis(all.map((one) => ({ value: one.pass_rate, interval: one.pass_rate_interval }))),
  };
  return (
    <div tabIndex={0} role="group" aria-label="Results by evaluator" className="relative overflow-x-auto rounded-b-[0.625rem] outline-offset-[-2px]">
      <table className="w-full">
        <thead className="border-b border-line bg-sunken text-xs text-ink-2">
          <tr>
            {COLUMNS.map(([name, title]) => (
              <th key={name} scope="col" title={title} className={HEAD}>{name}{name === "Mean score" && <AxisEnds axis={axes.score} />}{name === "Pass rate" && <AxisEnds axis={axes.pass} />}</th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {evaluators.map((one) => <Rows key={one.revision_id} evaluator={one} all={evaluators} axes={axes} isOneOfSeveral={names.filter((name) => name === one.name).length > 1} onPromote={onPromote} />)}
        </tbody>
      </table>
    </div>
  );
}

function asked(one: EvaluatorOut, all: readonly EvaluatorOut[]): string {
  const by = judgedBy(one, all);
  return one.member ? `${by}, of a panel` : by === "program" ? "by program" : by;
}

/** Krippendorff’s alpha, or why there is none. */
const agreed = ({ alpha, undefined_because: why, answers }: PanelAgreement): string =>
  alpha === null ? `agreement not defined: ${why ?? "nothing is scored"}` : `agreement α ${formatFixed(alpha, 2)} over ${plural(answers, "answer")}`;

/** The share of unparsed replies from which the judge is unsuitable. */
const MANY_UNREAD = 0.05;
/** The consistency below which a judge contradicts itself too often. */
const OFTEN_ANOTHER = 0.8;

const MODES: Record<string, string> = { logprobs: "by log-probabilities", samples: "sampled", single: "by one verdict" };

/** The judge's reliability; each figure is shown only when it is defined. */
function Judging({ of }: { of: JudgeFiguresOut }) {
  const modes = Object.entries(of.modes);
  const figures: { text: string; title: string; isBad: boolean }[] = [
    { text: `${formatPercent(of.parse_rate)} parsed`, title: `Of ${plural(of.asked, "verdict")} asked`, isBad: 1 - (of.parse_rate ?? 1) >= MANY_UNREAD },
  ];
  if (of.repair_rate) figures.push({ text: `${formatPercent(of.repair_rate)} repaired`, title: "Parsed only after the judge was asked to correct its reply", isBad: of.repair_rate >= MANY_UNREAD });
  if (of.swap_consistency !== null) figures.push({ text: `swap consistency ${formatPercent(of.swap_consistency)}`, title: `Judged alike in both orders, of ${plural(of.swapped, "comparison")}`, isBad: of.swap_consistency < OFTEN_ANOTHER });
  if (of.self_agreement !== null) figures.push({ text: `self-agreement ${formatPercent(of.self_agreement)}`, title: `Pairs of repeats on the same level, over ${plural(of.repeated, "answer")}`, isBad: of.self_agreement < OFTEN_ANOTHER });
  if (modes.length > 0) figures.push({ text: modes.map(([mode, count]) => `${formatCount(count)} ${MODES[mode] ?? mode}`).join(", "), title: "How G-Eval computed its scores", isBad: modes.length > 1 });
  return (
    <ul aria-label="The judge’s own figures" className="flex flex-wrap gap-x-2 text-xs whitespace-normal text-ink-3">
      {figures.map(({ text, title, isBad }) => <li key={text} title={title} className={isBad ? "font-medium text-warn" : ""}>{text}</li>)}
    </ul>
  );
}

interface Axes {
  score: Axis;
  pass: Axis;
}

function Rows({ evaluator, all, axes, isOneOfSeveral, onPromote }: { evaluator: EvaluatorOut; all: readonly EvaluatorOut[]; axes: Axes; isOneOfSeveral: boolean; onPromote: Props["onPromote"] }) {
  const [isOpen, setOpen] = useState(false);
  const name = harmless(evaluator.name === evaluator.kind ? evaluator.title : evaluator.name);
  const hasTargets = evaluator.targets.length > 1;
  return (
    <Fragment>
      <tr className="hover:bg-hover">
        <th scope="row" className={`${CELL} max-w-72 font-normal`}>
          <div className="flex items-start gap-1.5">
            {hasTargets ? (
              <button type="button" aria-expanded={isOpen} aria-label={`By target: ${name}`} title="By target" onClick={() => setOpen(!isOpen)} className="-ml-1 grid size-5 shrink-0 place-items-center rounded text-ink-3 hover:bg-mute-soft hover:text-ink">
                <Icon name="next" className={`size-3.5 transition-transform ${isOpen ? "rotate-90" : ""}`} />
              </button>
            ) : null}
            <div className="min-w-0">
              <div className="truncate font-medium" title={evaluator.title}>
                {name}
                {isOneOfSeveral && evaluator.primary && !evaluator.member && <span className="ml-2 rounded bg-info-soft px-1.5 text-xs text-info" title="The run’s figures and its items’ scores come from this one">primary</span>}
              </div>
              <div className="truncate text-xs text-ink-3">
                {asked(evaluator, all)}, {formatScore(evaluator.scale_min)} to {formatScore(evaluator.scale_max)}
                {evaluator.pass_threshold !== null && `, passes from ${formatScore(evaluator.pass_threshold)}`}
                {evaluator.agreement && `, ${agreed(evaluator.agreement)}`}
              </div>
              {evaluator.judging && <Judging of={evaluator.judging} />}
              {isOneOfSeveral && !evaluator.primary && !evaluator.member && evaluator.scored > 0 && onPromote && (
                <button type="button" onClick={() => onPromote(evaluator)} title="The run’s figures and its items’ scores will come from this one. You can change it back." className="mt-0.5 text-xs font-medium text-accent hover:underline">
                  Make primary<span className="sr-only">: {name}, {asked(evaluator, all)}</span>
                </button>
              )}
            </div>
          </div>
        </th>
        <Figures of={evaluator} axes={axes} weight={formatScore(evaluator.weight)} />
      </tr>
      {isOpen && evaluator.targets.map((one) => (
        <tr key={one.target_id} className="bg-sunken">
          <th scope="row" className={`${CELL} max-w-72 font-normal`}>
            <div className="truncate pl-5.5 text-ink-2" title={one.label}>{harmless(one.label)}</div>
          </th>
          <Figures of={one} axes={axes} weight="" />
        </tr>
      ))}
    </Fragment>
  );
}

function Figures({ of, axes, weight }: { of: EvaluatorOut | EvaluatorTargetOut; axes: Axes; weight: string }) {
  return (
    <>
      <td className={CELL}><IntervalBar value={of.mean_score} interval={of.mean_score_interval} axis={axes.score} /></td>
      <td className={CELL}><IntervalBar value={of.pass_rate} interval={of.pass_rate_interval} axis={axes.pass} /></td>
      <td className={CELL}>{formatPart(of.scored, of.asked)}</td>
      {(["unparsed", "refused", "errored"] as const).map((outcome) => (
        <td key={outcome} className={`${CELL} ${of[outcome] > 0 ? "text-bad" : "text-ink-2"}`}>{formatCount(of[outcome])}</td>
      ))}
      <td className={`${CELL} text-ink-2`}>{formatCount(of.pending)}</td>
      <td className={`${CELL} text-ink-2`}>{weight}</td>
      <td className={CELL}><Length baseline={of.length_baseline} /></td>
      <td className={CELL}>{formatUsd(of.cost_usd)}</td>
    </>
  );
}

function Length({ baseline: { spearman, answers, undefined_because: why } }: { baseline: LengthBaseline }) {
  if (spearman === null) return <span className="text-ink-3" title={why ?? undefined}>{MISSING}{why && <span className="sr-only"> ({why})</span>}</span>;
  const isMuch = Math.abs(spearman) >= MUCH;
  return (
    <span className={isMuch ? "font-medium text-warn" : "text-ink-2"} title={`Over ${formatCount(answers)} answers${isMuch ? ": length alone explains much of these scores" : ""}`}>
      {formatFixed(spearman, 2)}
    </span>
  );
}
