import type { EvaluatorOut, ScoreOut } from "@/api/generated/orchestrator";
import type { ChipLook } from "@/components/Chip";
import { harmless } from "@/lib/plain-text";

export function verdictLook(score: ScoreOut): ChipLook {
  if (score.outcome === null) return { label: score.status === "IN_PROGRESS" ? "Judging" : "Not judged yet", tone: "neutral", icon: "scale" };
  if (score.outcome !== "scored") return { label: score.outcome.replace(/^./, (letter) => letter.toUpperCase()), tone: "bad", icon: "cross" };
  if (score.passed === null) return { label: "Scored", tone: "info", icon: "scale" };
  return score.passed ? { label: "Passed", tone: "good", icon: "check" } : { label: "Not passed", tone: "bad", icon: "cross" };
}

/** Return an evaluator's name in the run; its title if it has no name of its own. */
export function nameOf(score: ScoreOut, evaluators: readonly EvaluatorOut[]): string {
  const known = evaluators.find((one) => one.revision_id === score.evaluator_revision_id);
  // “By … corrected by people” follows this name.
  const title = evaluators.find((one) => one.revision_id === score.corrects)?.title ?? known?.title;
  return harmless(known && known.name === known.kind ? (title ?? score.evaluator) : score.evaluator);
}

/** Return the id that the overview's links to a score's details point to. */
export const scoreId = (score: ScoreOut) => `score-${score.id}`;
