"""Test how the scores of several evaluators are combined into an item's overall score."""

from typing import Any
from uuid import UUID

import pytest

from llmbench.contracts.run_words import ScoreStatus
from orchestrator.kernel.domain.overall import Overall, WeightedScore, overall


def score(slot: str, normalised: float | None, **more: Any) -> WeightedScore:
    status = ScoreStatus.SCORED if normalised is not None else ScoreStatus.FAILED
    facts: dict[str, Any] = {
        "id": UUID(int=len(slot)),
        "weight": 1.0,
        "required": True,
        "revision_id": UUID(int=len(slot)),
        "raw": normalised,
        "reason": slot,
    }
    return WeightedScore(status=status, slot=slot, normalised=normalised, **(facts | more))


def test_score_of_a_single_evaluator_is_the_overall_score_on_its_own_scale() -> None:
    found = overall([score("rubric", 0.9, raw=9, passed=True, reason="Right.")])
    assert found == Overall(9, 0.9, True, "Right.", UUID(int=6))


def test_several_scores_are_a_weighted_mean_of_normalised_values() -> None:
    found = overall([score("rubric", 0.9, raw=9), score("contains", 0.1, weight=3.0)])
    assert found.normalised == found.raw == pytest.approx((0.9 + 3 * 0.1) / 4)
    assert found.revision_id is None


def test_missing_weighted_score_leaves_no_overall_score() -> None:
    silent: dict[str, Any] = {"outcome": "unparsed", "error": "No score in it.", "required": False}
    found = overall([score("rubric", 0.9), score("tone", None, weight=3.0, **silent)])
    assert found == Overall(
        reason="No overall score, because not every evaluator with a weight gave one. tone (unparsed): No score in it."
    )
    assert overall([score("rubric", 0.9), score("contains", None, weight=0.0)]).normalised == 0.9
    assert overall([score("rubric", 0.9, weight=0.0)]) == Overall(reason="No overall score: no evaluator has a weight")


def test_item_passes_if_every_evaluator_with_a_verdict_passes_it() -> None:
    good, silent = score("rubric", 0.9, passed=True), score("contains", 0.1)
    assert overall([good, silent]).passed is True
    assert overall([silent, score("exact", 1.0)]).passed is None
    failing = overall([good, score("latency", 0.0, passed=False, weight=0.0, reason="Took 9 s.")])
    assert (failing.passed, failing.normalised, failing.reason) == (False, 0.9, "latency: Took 9 s.")


def test_overall_score_uses_only_the_first_judge_of_each_evaluator() -> None:
    first, later = score("rubric", 0.9, passed=True), score("rubric", 0.3, passed=False, revision_id=UUID(int=9))
    found = overall([first, score("contains", 1.0), later])
    assert found.normalised == pytest.approx(0.65)
    assert found.passed is False
    assert found.reason == "rubric: rubric"


def test_weighted_mean_is_rounded_to_remove_float_noise() -> None:
    assert overall([score("rubric", 0.1), score("contains", 0.2), score("tone", 0.3)]).normalised == 0.2
