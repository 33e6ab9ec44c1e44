"""The query for the primary revision of each evaluator of a run, as a part of other queries.

A revision is primary if `run_evaluator.primary` is set. Only `orchestrator.runs.adapters.primary` changes that column.
"""


def primary_revisions(of_runs: str, *columns: str) -> str:
    """Return the query for the primary revisions of runs.

    `of_runs` is the condition on the run's id (`= :run_id`, `IN (…)`). The columns are those of `run_evaluator`:
    `run_id` and `evaluator_revision_id`.
    """
    chosen = ", ".join(("run_id", "evaluator_revision_id", *columns))
    return f'SELECT {chosen} FROM run_evaluator WHERE run_id {of_runs} AND "primary"'  # noqa: S608  # made of constants


def with_primary_revisions(of_runs: str) -> str:
    """Return the common table expression `primary_revision` that `OF_ITEM` reads."""
    query = primary_revisions(of_runs, "weight", '"only"', "unless")
    return f"primary_revision AS ({query})"
