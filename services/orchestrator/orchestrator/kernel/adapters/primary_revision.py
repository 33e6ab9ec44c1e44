"""Build the query for the primary revision of each evaluator of a run, for use within other queries.

A revision is primary if `run_evaluator.primary` is set. Only `orchestrator.runs.adapters.primary` changes that column.
"""


def primary_revisions(of_runs: str, *columns: str) -> str:
    """Return the query for the primary revisions of runs.

    `of_runs` completes the condition on the run's id (`= :run_id`, `IN (…)`). The query selects `run_id`,
    `evaluator_revision_id` and the other given `columns` of `run_evaluator`.
    """
    chosen = ", ".join(("run_id", "evaluator_revision_id", *columns))
    return f'SELECT {chosen} FROM run_evaluator WHERE run_id {of_runs} AND "primary"'  # noqa: S608  # made of constants


def with_primary_revisions(of_runs: str) -> str:
    """Return the common table expression `primary_revision`, without the keyword WITH. A query needs it to compute
    overall scores with the SQL join `OF_ITEM` of the module `overall`.

    `of_runs` completes the condition on the run's id, for example `= :run_id`.
    """
    query = primary_revisions(of_runs, "weight", '"only"', "unless")
    return f"primary_revision AS ({query})"
