"""Test that llmbench's own cases for judge checks are well formed, varied and balanced."""

from collections import Counter

from orchestrator.judges.adapters.own_cases import own_cases
from orchestrator.judges.domain.cases import case_problems

PAIRS = [case for case in own_cases() if case.second is not None]
DECIDED = [case for case in PAIRS if case.right != "tie"]
SINGLES = [case for case in own_cases() if case.second is None]


def test_there_are_many_valid_cases_with_a_reason_each() -> None:
    assert len(own_cases()) >= 120
    assert case_problems(own_cases()) == []
    assert all(case.reason and case.question.strip() and case.first.strip() for case in own_cases())


def test_every_category_has_several_cases() -> None:
    counts = Counter(case.category for case in own_cases())
    assert len(counts) >= 15
    assert min(counts.values()) >= 4
    assert counts["injection"] >= 12


def test_position_says_nothing_about_the_right_answer() -> None:
    places = Counter(case.right for case in DECIDED)
    assert abs(places["first"] - places["second"]) <= 1


def test_length_says_nothing_about_the_right_answer() -> None:
    longer = sum((len(case.first) > len(case.second or "")) == (case.right == "first") for case in DECIDED)
    assert 0.45 <= longer / len(DECIDED) <= 0.55


def test_single_answers_are_right_about_as_often_as_wrong() -> None:
    passing = sum(case.right == "pass" for case in SINGLES)
    assert 0.4 <= passing / len(SINGLES) <= 0.6


def test_some_cases_are_in_other_languages() -> None:
    german = [
        case
        for case in own_cases()
        if any(mark in f" {case.question} " for mark in ["der", "die", "das", "ist", "Wie"])
    ]
    assert len(german) >= 5
