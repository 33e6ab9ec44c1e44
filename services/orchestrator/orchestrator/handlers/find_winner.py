"""Name a winner among columns, or the reason why there is none."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.domain.comparison.leader import chased_by, leading
from orchestrator.domain.comparison.verdict import ScoreEvidence, judge_scores
from orchestrator.handlers.compare import judges_differ
from orchestrator.ports.comparison import Column, ComparisonReader, SharedScores


@dataclass(frozen=True)
class Standing:
    """Columns that were compared with each other, what they score where all do, and who leads them for certain."""

    columns: Sequence[Column]
    shared: SharedScores
    winner: int | None
    reason: str | None


async def find_winners(reader: ComparisonReader, sets: Sequence[Sequence[Column]]) -> list[Standing]:
    """Of each set its leader, compared with each of the others: Holm over all of these comparisons."""
    shared = [await reader.shared_scores(columns) for columns in sets]
    leaders = [leading(one.overall) for one in shared]
    pairs = [
        {} if leader is None else (await reader.pairs(columns, baseline=leader))[1]
        for columns, leader in zip(sets, leaders, strict=True)
    ]
    # A bootstrap takes its time, which is not the event loop's.
    evidence = iter(
        await asyncio.to_thread(judge_scores, [one.differences for paired in pairs for one in paired.values()])
    )
    return [
        _standing(columns, scores, leader, [(at, next(evidence)) for at in paired])
        for columns, scores, leader, paired in zip(sets, shared, leaders, pairs, strict=True)
    ]


def _standing(
    columns: Sequence[Column], shared: SharedScores, leader: int | None, others: list[tuple[int, ScoreEvidence]]
) -> Standing:
    reason = _reason(columns, shared, leader, others)
    return Standing(columns, shared, leader if reason is None else None, reason)


def _reason(
    columns: Sequence[Column], shared: SharedScores, leader: int | None, others: list[tuple[int, ScoreEvidence]]
) -> str | None:
    unlike = next(filter(None, (judges_differ(column, columns[0]) for column in columns[1:])), None)
    if unlike:
        return unlike
    if not shared.cases:
        return "No case is scored in all of them."
    if leader is None:
        return f"The highest mean of the {shared.cases} cases that all have is reached by more than one."
    near = chased_by(others)
    if not near:
        return None
    at, evidence = near[0]
    needed = f"; {evidence.cases_needed} would tell" if evidence.cases_needed else ""
    return (
        f"{_name(columns[leader])} has the highest mean, but is not separable from {_name(columns[at])} in the "
        f"{evidence.differences.cases} cases that both have{needed}."
    )


def _name(column: Column) -> str:
    return f"'{column.label}' of '{column.run_name}'"
