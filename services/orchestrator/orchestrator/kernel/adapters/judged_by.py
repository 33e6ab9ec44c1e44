"""Build the SQL that names the judge of an evaluator revision, for use within other queries."""


def judged_by(evaluator: str, revision: str) -> str:
    """Return the SQL for the name of an evaluator's judge: the model, or the size of the panel. If people corrected the
    judge's scores, the name says so. The name is null for an evaluator without a model.

    `evaluator` is the alias of `run_evaluator`, or of a subquery with its columns `members` and `corrects`. `revision`
    is the alias of the evaluator's row of `evaluator_revision`.
    """
    return f"""
        CASE WHEN {evaluator}.corrects IS NULL
             THEN coalesce({revision}.judge_model, 'a panel of ' || cardinality({evaluator}.members))
             ELSE coalesce((SELECT judge_model FROM evaluator_revision WHERE id = {evaluator}.corrects), 'a panel')
                  || ' corrected by people' END
    """  # noqa: S608  # made of constants
