"""Find the winner among columns (targets of runs), or the reason why there is none, from the verdicts that the user
sees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orchestrator.comparison.domain.coverage import ENOUGH_PERCENT
from orchestrator.comparison.domain.verdicts import Judged, Verdict
from orchestrator.comparison.domain.winner import rivals
from orchestrator.comparison.handlers.comparable import reason_not_comparable, reason_run_is_active
from orchestrator.comparison.ports.comparison import Column
from orchestrator.comparison.ports.pairs import SharedScores


@dataclass(frozen=True)
class Standing:
    """The result of comparing columns (targets of runs) with each other: their mean scores over the shared cases, and
    the index of the winner. Without a winner, `reason` says why."""

    columns: Sequence[Column]
    shared: SharedScores
    winner: int | None
    reason: str | None


def find_standing(
    columns: Sequence[Column], shared: SharedScores, leads: int | None, judged: Mapping[tuple[int, int], Judged]
) -> Standing:
    """Return the winner, or the reason why there is none.

    `leads` is the index of the column (a target of a run) with the highest mean, or score of the suite, over the shared
    cases. It is `None` if no column has a mean, or if several columns share the highest one. `judged` holds the
    verdicts by (candidate, baseline), including those of the leader against every other column.
    """
    reason = _reason(columns, shared, leads, judged)
    return Standing(columns, shared, leads if reason is None else None, reason)


def _reason(
    columns: Sequence[Column], shared: SharedScores, leads: int | None, judged: Mapping[tuple[int, int], Judged]
) -> str | None:
    unlike = next(filter(None, (reason_not_comparable(column, columns[0]) for column in columns[1:])), None)
    if unlike or (unlike := reason_run_is_active(columns)):
        return unlike
    if not shared.cases:
        return "No case is scored in all of them."
    if leads is None:
        return f"The {_highest(shared)} over the {_scored(shared.cases)} in all is shared by more than one."
    low = next((pair for pair, comparison in judged.items() if comparison.verdict is Verdict.LOW_COVERAGE), None)
    if low is not None:
        return _of_low_coverage(columns, low, judged[low])
    near = rivals(leads, judged)
    if not near:
        return None
    other, evidence = next(iter(near.items()))
    return _of_rival(columns[leads], columns[other], shared, evidence)


def _of_low_coverage(columns: Sequence[Column], pair: tuple[int, int], judged: Judged) -> str:
    here, there = (_name(columns[at]) for at in pair)
    of_task = "" if judged.pair.task is None else f" of the task '{judged.pair.task}'"
    if any(column.suite and judged.pair.task in column.suite.skipped for column in (columns[at] for at in pair)):
        return f"A gate skipped the task '{judged.pair.task}' for {here} or {there}, so their scores cover other tasks."
    return (
        f"Only {judged.pair.scored_cases} of the {judged.pair.shared_cases} cases{of_task} that {here} and {there} "
        f"share are scored in both, and {ENOUGH_PERCENT} % are needed: the other cases may be the ones that differ. "
        "Retry what failed (`llmbench retry`)."
    )


def _of_rival(leader: Column, other: Column, shared: SharedScores, judged: Judged) -> str:
    if judged.verdict is not Verdict.NOT_SEPARABLE:
        return (
            f"{_name(leader)} has the {_highest(shared)} over the {_scored(shared.cases)} in all, but {_name(other)} "
            f"is better in the {_scored(judged.pair.sums.pairs)} in both."
        )
    noun = "" if judged.pair.sums.clusters == judged.pair.sums.pairs else " clusters"
    needed = f"; {judged.clusters_needed}{noun} would tell" if judged.clusters_needed else ""
    return (
        f"{_name(leader)} has the {_highest(shared)}, but is not separable from {_name(other)} in the "
        f"{_scored(judged.pair.sums.pairs)} in both{needed}."
    )


def _scored(cases: int) -> str:
    return "1 case that is scored" if cases == 1 else f"{cases} cases that are scored"


def _highest(shared: SharedScores) -> str:
    return "highest score of the suite" if shared.of_suite else "highest mean"


def _name(column: Column) -> str:
    return f"'{column.label}' of '{column.run_name}'"
