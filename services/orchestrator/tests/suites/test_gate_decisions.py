"""Test the decisions about gates between tasks: means, reasons, and which gates are opened again."""

from uuid import UUID

import pytest

from llmbench.contracts.run_words import ScoreStatus, TaskGateStatus
from orchestrator.kernel.domain.overall import WeightedScore
from orchestrator.kernel.domain.records import TaskGate
from orchestrator.runs.domain.task_gates import gates_to_reopen, mean_of, passes, tasks_to_ask, why_skipped

TARGET, OTHER = UUID(int=1), UUID(int=2)


def a_gate(task: str, gating_task: str, *more: str, target_id: UUID = TARGET, min_score: float = 0.5) -> TaskGate:
    return TaskGate(
        target_id=target_id,
        target_label="llama",
        task=task,
        gating_task=gating_task,
        min_score=min_score,
        holds=(task, *more),
        first_position=0,
        last_position=9,
        status=TaskGateStatus.FAILED,
    )


def a_score(normalised: float | None, *, weight: float = 1, slot: str = "contains") -> WeightedScore:
    return WeightedScore(
        id=UUID(int=9),
        status=ScoreStatus.FAILED if normalised is None else ScoreStatus.SCORED,
        weight=weight,
        required=True,
        revision_id=UUID(int=8),
        slot=slot,
        normalised=normalised,
        raw=normalised,
    )


def test_mean_is_over_answers_that_have_an_overall_score() -> None:
    two = [a_score(1.0, weight=3), a_score(0.0, slot="other")]
    assert mean_of([[a_score(0.25)], two, [a_score(None)], [a_score(1.0), a_score(None, slot="other")]]) == (0.5, 2)
    assert mean_of([[a_score(None)], []]) == (None, 0)


@pytest.mark.parametrize(
    ("score", "min_score", "passed"),
    [(0.5, 0.5, True), (0.1 + 0.2, 0.3, True), (0.499, 0.5, False), (None, 0, False), (0.0, 0, True)],
)
def test_gate_passes_from_its_score_on(score: float | None, min_score: float, passed: bool) -> None:
    assert passes(a_gate("b", "a", min_score=min_score), score) is passed


def test_reason_names_the_gate_and_the_way_to_it() -> None:
    gate = a_gate("b", "a", "c")
    assert why_skipped(gate, "b") == "'a' has no score, and 'b' needs 0.5"
    gate.score = 1 / 3
    assert why_skipped(gate, "c") == "'c' waits for 'b': 'a' scored 0.333, and 'b' needs 0.5"


def test_retried_task_opens_its_gates_and_those_of_the_tasks_that_are_asked_after_all() -> None:
    first, second = a_gate("b", "a", "c", "d"), a_gate("d", "c")
    elsewhere = a_gate("b", "a", "c", "d", target_id=OTHER)
    failed = [first, second, elsewhere]
    assert gates_to_reopen(failed, {(TARGET, "a")}) == [first, second]
    assert tasks_to_ask(failed, [first, second]) == {TARGET: {"b", "c", "d"}}
    assert gates_to_reopen(failed, {(TARGET, "b")}) == []


def test_task_that_another_failed_gate_holds_stays_skipped() -> None:
    first, second = a_gate("c", "a", "d"), a_gate("c", "b", "d")
    third = a_gate("d", "c")
    failed = [first, second, third]
    assert gates_to_reopen(failed, {(TARGET, "a")}) == [first]
    assert tasks_to_ask(failed, [first]) == {TARGET: frozenset()}
    assert gates_to_reopen(failed, {(TARGET, "a"), (TARGET, "b")}) == [first, second, third]
