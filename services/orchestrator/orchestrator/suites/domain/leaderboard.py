"""Choose the results of a suite's runs for its leaderboard. Only results within one list may be compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Difference(StrEnum):
    """The reason why a list cannot be compared with the newest one: another version of the suite, other cases, another
    judge, or other evaluators."""

    VERSION = "version"
    CASES = "cases"
    JUDGE = "judge"
    EVALUATORS = "evaluators"


@dataclass(frozen=True)
class Measure:
    """The measure of a run's scores. Scores of equal measures may be compared.

    `evaluators` has the names and settings of the evaluators that count, `judges` their judges, and `revisions` their
    revisions, which depend on both.
    """

    version_number: int
    cases: str
    evaluators: tuple[str, ...]
    judges: tuple[str, ...]
    revisions: tuple[str, ...]


@dataclass(frozen=True)
class Candidate:
    """A target of a finished run of the suite."""

    run_id: UUID
    target_id: UUID
    label: str
    finished_at: datetime
    measure: Measure


def differences(measure: Measure, newest: Measure) -> list[Difference]:
    """Return what differs from the newest measure; nothing if the scores may be compared.

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
        # Another version nearly always has other cases, so that is not said twice.
        found.append(Difference.CASES)
    if measure.evaluators != newest.evaluators:
        found.append(Difference.EVALUATORS)
    elif measure.judges != newest.judges:
        found.append(Difference.JUDGE)
    elif measure.revisions != newest.revisions and not found:
        found.append(Difference.EVALUATORS)
    return found


def in_lists(candidates: Sequence[Candidate]) -> Mapping[Measure, Mapping[str, Sequence[Candidate]]]:
    """Return the candidates by measure and label, each of these newest first."""
    lists: dict[Measure, dict[str, list[Candidate]]] = {}
    for each in sorted(candidates, key=lambda one: (one.finished_at, one.run_id), reverse=True):
        lists.setdefault(each.measure, {}).setdefault(each.label, []).append(each)
    return lists
