"""Test how a panel of judges combines its members' scores."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.run_words import ItemStatus, ScoreStatus
from orchestrator.kernel.domain.new_run import Judge, NewEvaluator, Panel
from orchestrator.kernel.domain.overall import WeightedScore, next_move, overall
from orchestrator.kernel.domain.revision import RUBRIC, identity_of, own_params, revision, with_members
from orchestrator.kernel.domain.transitions import ItemMoves
from orchestrator.runs.domain.panel import PanelVerdict, decided, with_verdicts
from orchestrator.runs.domain.self_judging import panel_warnings

MEMBERS = (UUID(int=1), UUID(int=2), UUID(int=3))
JUDGES = tuple(Judge(UUID(int=7), model, SamplingParams(temperature=0), concurrency=1) for model in "abc")
PANEL = Panel(JUDGES, quorum=3)


def member(number: int, raw: float | None, **more: Any) -> WeightedScore:
    """Return the score of a panel member that gave `raw` of 10 points, or failed."""
    facts: dict[str, Any] = {
        "id": UUID(int=10 + number),
        "revision_id": UUID(int=number),
        "status": ScoreStatus.FAILED if raw is None else ScoreStatus.SCORED,
        "outcome": "unparsed" if raw is None else "scored",
        "raw": raw,
        "normalised": None if raw is None else raw / 10,
        "passed": None if raw is None else raw >= 5,
        "reason": f"reason {number}",
        "error": "no JSON" if raw is None else None,
        "judge_model": f"judge-{number}",
        "slot": f"rubric/judge-{number}",
        "weight": 0,
        "required": False,
        "member": True,
    }
    return WeightedScore(**(facts | more))


def panel(**more: Any) -> WeightedScore:
    facts: dict[str, Any] = {
        "id": UUID(int=9),
        "revision_id": UUID(int=9),
        "status": ScoreStatus.NEW,
        "weight": 1,
        "required": True,
        "members": MEMBERS,
        "quorum": 3,
    }
    return WeightedScore(**(facts | more))


def verdict(*raws: float | None, **more: Any) -> PanelVerdict:
    [found] = decided([panel(**more), *(member(1 + index, raw) for index, raw in enumerate(raws))])
    return found


def test_panel_score_has_the_median_and_its_judges_reason() -> None:
    found = verdict(9, 2, 7)
    assert (found.status, found.outcome) == (ScoreStatus.SCORED, "scored")
    assert (found.raw, found.normalised, found.passed, found.reason) == (7, 0.7, True, "reason 3")
    assert found.details["spread"] == pytest.approx(0.36055512754639896)
    assert [one["raw"] for one in found.details["verdicts"]] == [9, 2, 7]
    assert [one["judge_model"] for one in found.details["verdicts"]] == ["judge-1", "judge-2", "judge-3"]


def test_panel_without_its_quorum_has_no_score() -> None:
    found = verdict(9, None, 7)
    assert (found.status, found.outcome, found.raw, found.normalised) == (ScoreStatus.FAILED, "unparsed", None, None)
    assert found.error == "2 of 3 judges gave a score, and 3 have to. judge-2: no JSON"
    assert found.details["judges_scored"] == 2
    assert [one["raw"] for one in found.details["verdicts"]] == [9, None, 7]


def test_quorum_suffices_and_missing_judges_are_counted() -> None:
    found = verdict(9, None, 6, quorum=2)
    assert (found.raw, found.outcome) == (7.5, "scored")
    assert (found.details["judges"], found.details["judges_scored"]) == (3, 2)
    assert verdict(None, None, 6, quorum=2).outcome == "unparsed"


def test_panel_passes_by_its_median_not_by_majority() -> None:
    assert verdict(9, 4, 4, pass_mark=5).passed is False
    assert verdict(9, 4, None, quorum=2, pass_mark=5).passed is True, "one of two said no, and the median is 6.5"
    assert verdict(9, 4, 4, pass_threshold=4, pass_mark=5).passed is True, "the run's mark goes before the evaluator's"
    assert verdict(9, 9, 4, pass_threshold=9.5, pass_mark=5).passed is False


def test_float_noise_at_the_pass_mark_does_not_fail_a_panel() -> None:
    assert verdict(0.1 + 0.2, 0.3, None, quorum=2, pass_threshold=0.3).passed is True
    assert verdict(0.7 - 0.4, 0.3, None, quorum=2, pass_threshold=0.3).passed is True


def test_without_a_pass_mark_the_verdicts_around_the_score_decide() -> None:
    assert verdict(9, 4, 4).passed is False
    assert verdict(9, 6, 4).passed is True
    assert verdict(9, 4, None, quorum=2).passed is False, "nobody passed an answer with as little"


def test_member_scores_count_only_through_their_panel() -> None:
    scores = [panel(), member(1, 9), member(2, 2), member(3, 7)]
    settled = with_verdicts(scores, decided(scores))
    found = overall(settled)
    assert (found.raw, found.passed, found.revision_id) == (7, True, UUID(int=9)), "one of the members said no"
    assert next_move(ItemStatus.WAITING_FOR_JUDGE, settled) == ItemMoves.COMPLETE
    missing = [panel(), member(1, 9), member(2, None), member(3, 7)]
    assert next_move(ItemStatus.JUDGING, with_verdicts(missing, decided(missing))) == ItemMoves.GIVE_UP


def test_judge_that_is_also_an_evaluator_counts_as_both() -> None:
    own = member(1, 9, member=False, weight=1, required=True, slot="rubric by one")
    scores = [panel(slot="rubric"), own, member(2, 2), member(3, 7)]
    assert overall(with_verdicts(scores, decided(scores))).normalised == pytest.approx((0.7 + 0.9) / 2)


RAWS = st.lists(st.none() | st.floats(0, 10), min_size=3, max_size=3)


@given(raws=RAWS, order=st.permutations(range(3)), quorum=st.integers(2, 3))
def test_panel_is_decided_once_after_its_last_member(
    raws: Sequence[float | None], order: Sequence[int], quorum: int
) -> None:
    scores = [panel(quorum=quorum), *(member(1 + at, raw) for at, raw in enumerate(raws))]
    waiting = [replace(score, status=ScoreStatus.IN_PROGRESS) if score.member else score for score in scores]
    for ended, at in enumerate(order):
        assert decided(waiting) == [], f"{ended} have ended"
        waiting[1 + at] = scores[1 + at]
    [found] = decided(waiting)
    spoken = [raw for raw in raws if raw is not None]
    assert (found.outcome == "scored") == (len(spoken) >= quorum) == (found.normalised is not None)
    if found.raw is not None:
        assert found.raw == median(spoken)
        assert 0 <= min(spoken) <= found.raw <= max(spoken) <= 10
    assert decided(with_verdicts(waiting, [found])) == [], "and never again"


def test_panel_waits_for_a_member_without_a_score_row() -> None:
    assert decided([panel(), member(1, 9), member(2, 2)]) == []


def test_identity_of_a_panel_does_not_depend_on_the_order_of_members() -> None:
    identity = revision(RUBRIC, None, PANEL)["identity"]
    assert revision(RUBRIC, None, Panel(JUDGES[::-1], quorum=3))["identity"] == identity
    others = (Panel(JUDGES[:2], quorum=2), Panel(JUDGES, quorum=2))
    assert len({identity, *(revision(RUBRIC, None, other)["identity"] for other in others)}) == 3
    assert own_params(revision(RUBRIC, None, PANEL)["params"]) == {}


def test_panel_members_follow_the_evaluators_without_duplicates() -> None:
    members = tuple(NewEvaluator(f"m/{judge.model}", RUBRIC, judge, member=True) for judge in JUDGES)
    both = NewEvaluator("rubric", RUBRIC, None, panel=PANEL, members=members)
    smaller = NewEvaluator("two", RUBRIC, None, panel=Panel(JUDGES[:2], quorum=2), members=members[:2])
    alone = NewEvaluator("a", RUBRIC, JUDGES[0])
    joined = with_members([both, smaller, alone])
    assert [evaluator.slot for evaluator in joined] == ["rubric", "two", "a", "m/b", "m/c"]
    assert len({identity_of(evaluator) for evaluator in joined}) == 5


def test_panel_of_judges_of_one_family_causes_a_warning() -> None:
    assert panel_warnings("rubric", ["llama3.2:3b", "qwen2.5:3b"]) == []
    [warning] = panel_warnings("rubric", ["llama3.2:3b", "meta-llama/Llama-3.1-8B"])
    assert warning.kind == "one_family"
    assert "'rubric' (llama3.2:3b, meta-llama/Llama-3.1-8B) are all of the family llama" in warning.message
