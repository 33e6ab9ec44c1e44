import type { EvaluatorRef, ScoreOut } from "@/api/generated/orchestrator";
import { harmless } from "./plain-text";

type Judged = Pick<EvaluatorRef, "revision_id" | "judge_model" | "panel">;

/** Return who gave the scores of an evaluator revision: a judge, a panel, a program, or a judge corrected by people. */
export function judgedBy(one: Pick<EvaluatorRef, "judge_model" | "panel" | "corrects">, all: readonly Judged[]): string {
  if (one.corrects) {
    const judge = all.find((other) => other.revision_id === one.corrects);
    return `${judge ? judgedBy({ ...judge, corrects: null }, all) : "judge"} corrected by people`;
  }
  if (one.panel) return `panel of ${one.panel.judges.length}`;
  return one.judge_model === null ? "program" : harmless(one.judge_model);
}

/** Return the scores without those that a corrected revision only repeats. */
export const withoutCopies = <T extends Pick<ScoreOut, "corrects" | "by_person">>(scores: readonly T[]): T[] => scores.filter((score) => !score.corrects || score.by_person);
