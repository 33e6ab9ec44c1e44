import { lazy, Suspense, type ReactNode } from "react";
import type { EvaluatorOut, ScoreOut } from "@/api/generated/orchestrator";
import { Chip } from "@/components/Chip";
import { formatPercent, formatScore, formatUsd } from "@/lib/format";
import { judgedBy } from "@/lib/judged-by";
import { loadCode } from "@/live/reach";
import { Notes } from "./Notes";
import { Part } from "./Part";
import { nameOf, scoreId, verdictLook } from "./score-words";

// The details are below the fold.
const ScoreDetails = lazy(() => loadCode(() => import("./ScoreDetails")));

/** One score in detail: the evaluator's prompt, its reply and the verdict. Its reason is in the list of the scores. */
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
        {overruling}
        <Suspense><ScoreDetails score={score} /></Suspense>
        <Notes notes={score.notes} redactions={score.redactions} />
      </div>
    </Part>
  );
}
