import type { EvaluatorOut, ScoreOut } from "@/api/generated/orchestrator";
import { StateText } from "@/components/Chip";
import { PlainText } from "@/components/PlainText";
import { formatScore } from "@/lib/format";
import { Part } from "./Part";
import { nameOf, scoreId, verdictLook } from "./score-words";

interface Props {
  scores: readonly ScoreOut[];
  evaluators: readonly EvaluatorOut[];
}

/** All scores with their reasons, at the top of the panel. Their other details are further down. */
export function ScoreList({ scores, evaluators }: Props) {
  if (scores.length === 0) return null;
  return (
    <Part title="Scores">
      <ul className="divide-y divide-line rounded-md border border-line">
        {scores.map((score) => (
          <li key={score.id} className="px-3 py-2">
            <div className="flex flex-wrap items-baseline gap-x-3">
              <button type="button" onClick={() => document.getElementById(scoreId(score))?.scrollIntoView()} className="min-w-0 truncate text-left font-medium hover:text-accent hover:underline">
                {nameOf(score, evaluators)}{score.corrects && ", corrected"}
              </button>
              {score.raw !== null && (
                <span className="whitespace-nowrap">
                  <span className="font-semibold">{formatScore(score.raw)}</span>
                  <span className="text-xs text-ink-3"> of {formatScore(score.scale_max)}</span>
                </span>
              )}
              <StateText {...verdictLook(score)} />
            </div>
            {score.reason && <PlainText text={score.reason} maxLines={3} maxCharacters={280} className="mt-0.5 text-ink-2" />}
            {score.error && <PlainText text={score.error} maxLines={3} maxCharacters={280} className="mt-0.5 text-bad" />}
          </li>
        ))}
      </ul>
    </Part>
  );
}
