"""Test which of the compared targets wins, or why none of them does. The tests give the sums over pairs that the
database would compute.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import cast
from uuid import UUID

import pytest

from llmbench.contracts.run_words import RunStatus
from orchestrator.comparison.api.ranking import ranked
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.verdicts import verdicts
from orchestrator.comparison.domain.winner import comparisons, leader
from orchestrator.comparison.handlers.find_winner import Standing, find_standing
from orchestrator.comparison.ports.comparison import Column, ComparedJudge
from orchestrator.comparison.ports.pairs import SharedScores

JUDGE = ComparedJudge(scoring="r", kind="rubric", judge_model="judge", scale_min=0, scale_max=10)
Scores = Sequence[float | None]
"""The scores of a column by case; `None` is a missing score."""


def column(
    number: int, *, label: str = "m", judge: ComparedJudge = JUDGE, status: RunStatus = RunStatus.FINISHED
) -> Column:
    return Column(
        run_id=UUID(int=number),
        run_name=f"run {number}",
        run_status=status,
        run_created_at=datetime(2026, 1, 1, tzinfo=UTC),
        target_id=UUID(int=100 + number),
        label=label,
        provider_name="Mock",
        model=label,
        judge=judge,
    )


def standing(*compared: tuple[Column, Scores], baseline: int = 0) -> Standing:
    columns, scores = [one for one, _ in compared], [values for _, values in compared]
    shared = [at for at in range(len(scores[0])) if all(values[at] is not None for values in scores)]
    means = [sum(cast(float, values[at]) for at in shared) / len(shared) if shared else None for values in scores]
    leads = leader(means)
    keys = comparisons(len(columns), baseline=baseline, leads=leads)
    judged = verdicts([_pair(scores[candidate], scores[reference]) for candidate, reference in keys])
    found = SharedScores(cases=len(shared), overall=means, categories={})
    return find_standing(columns, found, leads, dict(zip(keys, judged, strict=True)))


def _pair(candidate: Scores, baseline: Scores) -> GatePair:
    known = [
        here - there for here, there in zip(candidate, baseline, strict=True) if here is not None and there is not None
    ]
    return GatePair(ClusterSums.of(known), shared_cases=len(candidate), scored_cases=len(known))


def winners(*sets: Sequence[tuple[Column, Scores]], baseline: int = 0) -> dict[str, object]:
    return ranked([standing(*compared, baseline=baseline) for compared in sets])


LOW = [0.2 + 0.01 * (case % 7) for case in range(60)]
HIGH = [score + 0.3 + 0.01 * (case % 5) for case, score in enumerate(LOW)]
NEAR = [score + (0.1 if case % 2 else -0.09) for case, score in enumerate(HIGH)]


@pytest.mark.parametrize("baseline", [0, 1, 2])
def test_column_that_is_certainly_ahead_of_all_others_wins(baseline: int) -> None:
    found = winners([(column(1), LOW), (column(2), HIGH), (column(3), LOW)], baseline=baseline)
    assert (found["winner"], found["winner_target_id"], found["winner_reason"]) == (UUID(int=2), UUID(int=102), None)


def test_lead_that_may_be_chance_does_not_win() -> None:
    found = winners([(column(1), LOW), (column(2), HIGH), (column(3), NEAR)])
    assert (found["winner"], found["winner_target_id"]) == (None, None)
    reason = str(found["winner_reason"])
    assert reason.startswith("'m' of 'run 3' has the highest mean, but is not separable from 'm' of 'run 2' in the 60 ")
    assert reason.endswith(" would tell.")


def test_reason_counts_the_cases_that_are_scored_and_not_all_that_both_have() -> None:
    first: list[float | None] = [0.2 * (case % 5) for case in range(30)]
    second: list[float | None] = [None, None, *(0.2 * (case % 4) for case in range(28))]
    reason = standing((column(1), first), (column(2), second)).reason
    assert reason is not None
    assert "in the 28 cases that are scored in both" in reason
    reason = standing((column(1), [0.5]), (column(2), [0.6])).reason
    assert reason is not None
    assert reason.endswith("in the 1 case that is scored in both.")


def test_highest_mean_does_not_win_if_another_column_is_better_case_by_case() -> None:
    """Over the cases that all three targets share, A has the highest mean. Over the cases that only A and B share, B is
    better, so A does not win. The reason why there is no winner must not contradict either fact."""
    a: list[float | None] = [0.5 + 0.01 * (case % 3) for case in range(100)]
    b: list[float | None] = [0.55 + 0.01 * (case % 5) if case >= 9 else 0.0 for case in range(100)]
    c: list[float | None] = [0.1 if case < 91 else None for case in range(100)]
    found = standing((column(1), a), (column(2), b), (column(3), c))
    assert found.winner is None or found.winner == 1
    assert found.reason is None or "not separable" in found.reason or "is better in the" in found.reason


def test_column_with_many_missing_answers_does_not_win() -> None:
    few: list[float | None] = [0.9 if case < 12 else None for case in range(60)]
    found = winners([(column(1), LOW), (column(2), few)])
    assert found["winner"] is None
    assert str(found["winner_reason"]).startswith(
        "Only 12 of the 60 cases that 'm' of 'run 2' and 'm' of 'run 1' share"
    )


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ((column(1), HIGH), (column(2), HIGH), "The highest mean over the 60 cases that are scored in all is"),
        ((column(1), [None] * 3), (column(2), [None] * 3), "No case is scored in all of them."),
        (
            (column(1), LOW),
            (column(2, judge=JUDGE.model_copy(update={"scoring": "s", "judge_model": "other"})), HIGH),
            "Two different measures scored these runs (other and judge).",
        ),
        ((column(1), LOW), (column(2, status=RunStatus.PAUSED), HIGH), "'run 2' is paused: an early verdict"),
    ],
)
def test_reason_says_why_there_is_no_winner(
    first: tuple[Column, Scores], second: tuple[Column, Scores], reason: str
) -> None:
    found = winners([first, second])
    assert found["winner"] is None
    assert str(found["winner_reason"]).startswith(reason)


def test_run_wins_only_if_it_wins_under_every_label() -> None:
    a: list[tuple[Column, Scores]] = [(column(1, label="a"), LOW), (column(2, label="a"), HIGH)]
    b: list[tuple[Column, Scores]] = [
        (column(1, label="b").model_copy(update={"target_id": UUID(int=201)}), LOW),
        (column(2, label="b").model_copy(update={"target_id": UUID(int=202)}), HIGH),
    ]
    found = winners(a, b)
    assert (found["winner"], found["winner_target_id"]) == (UUID(int=2), None)
    assert len(cast(list[object], found["models"])) == 4
    turned: list[tuple[Column, Scores]] = [(one, HIGH if values is LOW else LOW) for one, values in b]
    found = winners(a, turned)
    assert found["winner"] is None
    assert found["winner_reason"] == ("No run wins every comparison: the winners are 'a' of 'run 2'; 'b' of 'run 1'.")
