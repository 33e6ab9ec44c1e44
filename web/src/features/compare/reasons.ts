import type { ComparedColumn, ItemDetail } from "@/api/generated/orchestrator";

/** Return the reasons or errors of the compared scores, each with whose it is. */
export const reasonsOf = (item: ItemDetail, column: ComparedColumn) =>
  item.scores.flatMap(({ id, reason, error, judge_model: judge, evaluator, evaluator_revision_id: revision }) => {
    const text = reason ?? error;
    return text && column.judge?.scoring.includes(revision) ? [{ id, name: `Reason of ${judge ?? evaluator}`, text }] : [];
  });
