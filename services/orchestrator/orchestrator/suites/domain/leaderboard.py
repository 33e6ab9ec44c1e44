"""Choose the results of a suite's runs for its leaderboard. Results are grouped into lists; only results in the same
list may be compared."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from orchestrator.results.domain.separable import ENOUGH


class Difference(StrEnum):
    """The reason why the results in a list of a leaderboard cannot be compared with those in its first list, the newest
    run's. The suite version, the cases, the judge or the evaluators differ."""

    VERSION = "version"
    CASES = "cases"
    JUDGE = "judge"
    EVALUATORS = "evaluators"


@dataclass(frozen=True)
class Conditions:
    """The conditions under which a run's scores came about. Scores under equal conditions may be compared.

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
    conditions: Conditions


def differences(conditions: Conditions, newest: Conditions) -> list[Difference]:
    """Return what differs between `conditions` and the newest conditions. The list is empty if scores under both may be
    compared. `CASES` is listed only if the versions are the same, and `JUDGE` only if the evaluators are.

    >>> first = Conditions(1, "all", ("rubric",), ("judge-1",), ("r-1",))
    >>> differences(Conditions(2, "all", ("rubric",), ("judge-2",), ("r-2",)), first)
    [<Difference.VERSION: 'version'>, <Difference.JUDGE: 'judge'>]
    >>> differences(first, first)
    []
    """
    found = []
    if conditions.version_number != newest.version_number:
        found.append(Difference.VERSION)
    elif conditions.cases != newest.cases:
        # Another version nearly always has other cases, so only the version is named then.
        found.append(Difference.CASES)
    if conditions.evaluators != newest.evaluators:
        found.append(Difference.EVALUATORS)
    elif conditions.judges != newest.judges:
        found.append(Difference.JUDGE)
    elif conditions.revisions != newest.revisions and not found:
        found.append(Difference.EVALUATORS)
    return found


def lacking_scores(tasks: Iterable[tuple[str, int, int]]) -> str | None:
    """Return a text that names the first task of which less than 90 % of the answers have a score. Return `None` if
    each task has enough. `tasks` has the name of each task, the number of its scores, and the number of its answers.

    >>> lacking_scores([("sums", 36, 40), ("words", 5, 10)])
    "separated from none: only 5 of 10 answers of 'words' have a score, and 90 % are needed"
    """
    for task, scored, answers in tasks:
        if scored < ENOUGH * answers:
            return (
                f"separated from none: only {scored} of {answers} answers of '{task}' have a score, and 90 % are needed"
            )
    return None


def in_lists(candidates: Sequence[Candidate]) -> Mapping[Conditions, Mapping[str, Sequence[Candidate]]]:
    """Group the candidates by their conditions, and then by label. Each group of equal conditions makes one list of the
    leaderboard. The candidates of a label are in order, the newest first."""
    lists: dict[Conditions, dict[str, list[Candidate]]] = {}
    for each in sorted(candidates, key=lambda one: (one.finished_at, one.run_id), reverse=True):
        lists.setdefault(each.conditions, {}).setdefault(each.label, []).append(each)
    return lists
