"""Choose the results of a suite's runs for its leaderboard. Results are grouped into lists; only results in the same
list may be compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Difference(StrEnum):
    """The reason why a list of results cannot be compared with the newest list: another suite version, other cases,
    another judge, or other evaluators."""

    VERSION = "version"
    CASES = "cases"
    JUDGE = "judge"
    EVALUATORS = "evaluators"


@dataclass(frozen=True)
class Measure:
    """The conditions under which a run's scores were measured. Scores with equal measures may be compared.

    `evaluators` has the names and settings of the evaluators that count, and `judges` has their judges. `revisions` has
    the ids of the evaluator revisions, which depend on the evaluators and the judges.
    """

    version_number: int
    cases: str
    evaluators: tuple[str, ...]
    judges: tuple[str, ...]
    revisions: tuple[str, ...]


@dataclass(frozen=True)
class Candidate:
    """A target of a finished suite run, as a candidate for the leaderboard."""

    run_id: UUID
    target_id: UUID
    label: str
    finished_at: datetime
    measure: Measure


def differences(measure: Measure, newest: Measure) -> list[Difference]:
    """Return in what a measure differs from the newest one. The list is empty if scores by both measures may be
    compared. Other cases are named only if the version is the same, another judge only if the evaluators are the same.

    >>> first = Measure(1, "all", ("rubric",), ("judge-1",), ("r-1",))
    >>> differences(Measure(2, "all", ("rubric",), ("judge-2",), ("r-2",)), first)
    [<Difference.VERSION: 'version'>, <Difference.JUDGE: 'judge'>]
    >>> differences(first, first)
    []
    """
    found = []
    if measure.version_number != newest.version_number:
        found.append(Difference.VERSION)
    elif measure.cases != newest.cases:
        # Another version nearly always has other cases, so only the version is named then.
        found.append(Difference.CASES)
    if measure.evaluators != newest.evaluators:
        found.append(Difference.EVALUATORS)
    elif measure.judges != newest.judges:
        found.append(Difference.JUDGE)
    elif measure.revisions != newest.revisions and not found:
        found.append(Difference.EVALUATORS)
    return found


def in_lists(candidates: Sequence[Candidate]) -> Mapping[Measure, Mapping[str, Sequence[Candidate]]]:
    """Group the candidates by measure, and then by label. Each measure makes one list of the leaderboard. The
    candidates of a label are in order, the newest first."""
    lists: dict[Measure, dict[str, list[Candidate]]] = {}
    for each in sorted(candidates, key=lambda one: (one.finished_at, one.run_id), reverse=True):
        lists.setdefault(each.measure, {}).setdefault(each.label, []).append(each)
    return lists
