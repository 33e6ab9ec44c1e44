"""Who wins, and why nobody does: over differences as the database would pair them."""

import doctest
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import cast
from uuid import UUID

import pytest

from llmbench.contracts.run_words import RunStatus
from orchestrator.domain.comparison import leader
from orchestrator.domain.comparison.paired import Differences
from orchestrator.domain.comparison.verdict import Passes
from orchestrator.entrypoints.ranking import ranked
from orchestrator.handlers.find_winner import find_winners
from orchestrator.ports.comparison import Column, ComparedJudge, ComparisonReader, PairedColumn, SharedScores

JUDGE = ComparedJudge(scoring="r", kind="rubric", judge_model="judge", scale_min=0, scale_max=10)


def column(number: int, *, label: str = "m", judge: ComparedJudge = JUDGE) -> Column:
    return Column(
        run_id=UUID(int=number),
        run_name=f"run {number}",
        run_status=RunStatus.FINISHED,
        run_created_at=datetime(2026, 1, 1, tzinfo=UTC),
        target_id=UUID(int=100 + number),
        label=label,
        provider_name="Mock",
        model=label,
        judge=judge,
    )


def test_examples() -> None:
    found = doctest.testmod(leader)
    assert found.attempted
    assert not found.failed


class Scores:
    """Each column's scores, case by case; the part of the port that finding a winner uses."""

    def __init__(self, scores: Mapping[UUID, Sequence[float]]) -> None:
        self._scores = scores

    def _of(self, columns: Sequence[Column]) -> list[Sequence[float]]:
        return [self._scores[one.target_id] for one in columns]

    async def shared_scores(self, columns: Sequence[Column]) -> SharedScores:
        scores = self._of(columns)
        means = [sum(one) / len(one) if one else None for one in scores]
        categories = {"all": [mean for mean in means if mean is not None]} if all(scores) else {}
        return SharedScores(cases=len(scores[0]), overall=means, categories=categories)

    async def pairs(self, columns: Sequence[Column], *, baseline: int) -> tuple[int, dict[int, PairedColumn]]:
        scores = self._of(columns)
        cases = len(scores[0])
        return cases, {
            at: PairedColumn(
                cases_in_both=cases,
                only_baseline=0,
                only_here=0,
                questions_differ=0,
                compared=cases,
                differences=Differences.tally(
                    (round(mine - best, 9), 1) for mine, best in zip(one, scores[baseline], strict=True)
                ),
                passes=Passes(0, 0, 0),
            )
            for at, one in enumerate(scores)
            if at != baseline
        }


LOW = [0.2 + 0.01 * (case % 7) for case in range(60)]
HIGH = [score + 0.3 + 0.01 * (case % 5) for case, score in enumerate(LOW)]
NEAR = [score + (0.1 if case % 2 else -0.09) for case, score in enumerate(HIGH)]


async def winners(*sets: Sequence[tuple[Column, Sequence[float]]]) -> dict[str, object]:
    scores = {one.target_id: values for pairs in sets for one, values in pairs}
    reader = cast(ComparisonReader, Scores(scores))
    return ranked(await find_winners(reader, [[one for one, _ in pairs] for pairs in sets]))


async def test_the_best_wins_when_it_is_ahead_of_each_other_for_certain() -> None:
    found = await winners([(column(1), LOW), (column(2), HIGH), (column(3), LOW)])
    assert (found["winner"], found["winner_target_id"], found["winner_reason"]) == (UUID(int=2), UUID(int=102), None)


async def test_a_lead_that_may_be_chance_is_no_win() -> None:
    found = await winners([(column(1), LOW), (column(2), HIGH), (column(3), NEAR)])
    assert (found["winner"], found["winner_target_id"]) == (None, None)
    reason = str(found["winner_reason"])
    assert reason.startswith("'m' of 'run 3' has the highest mean, but is not separable from 'm' of 'run 2' in the 60 ")
    assert reason.endswith(" would tell.")


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ((column(1), HIGH), (column(2), HIGH), "The highest mean of the 60 cases that all have is reached by more"),
        ((column(1), []), (column(2), []), "No case is scored in all of them."),
        (
            (column(1), LOW),
            (column(2, judge=JUDGE.model_copy(update={"scoring": "s", "judge_model": "other"})), HIGH),
            "Two different measures scored these runs (other and judge).",
        ),
    ],
)
async def test_why_nobody_wins(
    first: tuple[Column, list[float]], second: tuple[Column, list[float]], reason: str
) -> None:
    found = await winners([first, second])
    assert found["winner"] is None
    assert str(found["winner_reason"]).startswith(reason)


async def test_a_run_wins_under_every_label_or_not_at_all() -> None:
    a = [(column(1, label="a"), LOW), (column(2, label="a"), HIGH)]
    b = [
        (column(1, label="b").model_copy(update={"target_id": UUID(int=201)}), LOW),
        (column(2, label="b").model_copy(update={"target_id": UUID(int=202)}), HIGH),
    ]
    found = await winners(a, b)
    assert (found["winner"], found["winner_target_id"]) == (UUID(int=2), None)
    assert len(cast(list[object], found["models"])) == 4
    turned = [(one, HIGH if values is LOW else LOW) for one, values in b]
    found = await winners(a, turned)
    assert found["winner"] is None
    assert found["winner_reason"] == (
        "Another run wins under another label: under 'a' it is 'run 2'; under 'b' it is 'run 1'."
    )
