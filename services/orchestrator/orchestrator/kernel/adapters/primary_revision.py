"""The primary revision of each evaluator of a run: the one query that finds it, as part of other queries.

`run_evaluator.primary` says which one it is. `orchestrator.runs.adapters.primary` alone changes it.
"""


def primary_revisions(of_runs: str, *columns: str) -> str:
    """Return the query for the primary revisions of the runs whose id is `of_runs` (`= :run_id`, `IN (…)`), with
    these columns of `run_evaluator`, `run_id` and `evaluator_revision_id`."""
    chosen = ", ".join(("run_id", "evaluator_revision_id", *columns))
    return f'SELECT {chosen} FROM run_evaluator WHERE run_id {of_runs} AND "primary"'  # noqa: S608  # made of constants


def with_primary_revisions(of_runs: str) -> str:
    """Return the common table expression `primary_revision` that `OF_ITEM` reads."""
    query = primary_revisions(of_runs, "weight", '"only"', "unless")
    return f"primary_revision AS ({query})"
