"""Check whether columns (targets of runs) can be compared, and whether their runs are over. Verdicts are withheld while
a run is active."""

from collections.abc import Iterable, Sequence
from typing import Final

from llmbench.contracts.run_words import RunStatus
from llmbench.errors import FieldError, Problem
from orchestrator.comparison.ports.comparison import Column

OVER: Final = (RunStatus.FINISHED, RunStatus.CANCELLED)


def reason_run_is_active(columns: Sequence[Column]) -> str | None:
    """Return why there is no verdict yet; `None` if every run is finished or cancelled. The reason names the first
    active run."""
    for column in columns:
        if column.run_status not in OVER:
            return (
                f"'{column.run_name}' is {column.run_status.lower()}: an early verdict would often mistake chance "
                f"for a difference. There is one when the run is over."
            )
    return None


def reason_not_comparable(candidate: Column, baseline: Column) -> str | None:
    """Return why the scores of two columns (targets of runs) cannot be compared; `None` if they can."""
    if candidate.judge is None or baseline.judge is None:
        return "No judge has scored all of both runs: there are no scores to compare."
    if candidate.judge.scoring == baseline.judge.scoring:
        return None
    first, other = (judge.judge_model or judge.kind for judge in (candidate.judge, baseline.judge))
    if candidate.judge.kind != baseline.judge.kind:
        judges = f"{candidate.judge.kind}, and {baseline.judge.kind}"
    elif first != other:
        judges = f"{first} and {other}"
    elif candidate.judge.judge_model is None:
        judges = f"{first}, but with other parameters or weights, or by another version of llmbench"
    else:
        judges = f"{first}, but of another provider or with other instructions"
    return (
        f"Two different measures scored these runs ({judges}). Their scores are not comparable: "
        "have both runs scored by the same evaluators (`POST /api/runs/{id}/evaluators`, or the run's page)."
    )


def references_words(changed: int, cases: int) -> str | None:
    """Return a sentence about shared cases whose references or checks differ; `None` if there are none. The scores of
    such a case may differ although the answers do not.

    >>> references_words(1, 28)
    'The reference of 1 of 28 cases was changed between these runs.'
    >>> references_words(2, 28)
    'The references of 2 of 28 cases were changed between these runs.'
    """
    if changed == 0:
        return None
    which, were = ("reference", "was") if changed == 1 else ("references", "were")
    return f"The {which} of {changed:,} of {cases:,} case{'' if cases == 1 else 's'} {were} changed between these runs."


def require_key(cluster_by: str | None, keyed: Iterable[bool]) -> None:
    """Raise a 422 `Problem` if `cluster_by` names a metadata key that no case has. `keyed` has one value per column (a
    target of a run): whether at least one of its cases has the key."""
    if cluster_by is not None and not any(keyed):
        message = f"no case of these runs has the metadata key '{cluster_by}': name one that they have, or none"
        raise Problem(422, "Invalid request", f"cluster_by: {message}", errors=[FieldError("cluster_by", message)])
