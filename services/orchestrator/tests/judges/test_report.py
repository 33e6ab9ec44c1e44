"""Test the figures of a judge check: biased judges are caught, and missing verdicts count in no rate."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.judges.adapters.own_cases import own_cases
from orchestrator.judges.domain.cases import CheckCase, case_problems
from orchestrator.judges.domain.report import CheckFigures, CheckVerdict, Choice, check_figures

SWAPPED: dict[Choice, Choice] = {"first": "second", "second": "first", "tie": "tie"}


def pair(case_id: str, right: Any, *choices: Choice, **more: Any) -> CheckVerdict:
    fields: dict[str, Any] = {"repeat": 1, "outcome": "scored", "category": "c", "lengths": (10, 20)} | more
    return CheckVerdict(case_id=case_id, kind="pair", right=right, choices=choices, **fields)


def single(case_id: str, right: Any, *, passed: bool, **more: Any) -> CheckVerdict:
    fields: dict[str, Any] = {"repeat": 1, "outcome": "scored", "category": "c"} | more
    return CheckVerdict(case_id=case_id, kind="single", right=right, passed=passed, **fields)


def judged(prefer: Any, repeats: int = 2) -> CheckFigures:
    """Return the figures of a simulated judge that judges each of llmbench's own cases `repeats` times.

    `prefer` decides for the judge. It takes the case, and a tuple of its one or two texts, as they are shown. It
    returns which of two texts is better (`first` or `second`), or `tie`. A single text passes if it returns `first`.
    """
    verdicts = []
    for repeat in range(1, repeats + 1):
        for case in own_cases():
            common: dict[str, Any] = {"repeat": repeat, "category": case.category}
            if case.second is None:
                passed = prefer(case, (case.first,)) == "first"
                verdicts.append(single(case.id, case.right, passed=passed, **common))
                continue
            lengths = (len(case.first), len(case.second))
            given_order = prefer(case, (case.first, case.second))
            swapped = SWAPPED[prefer(case, (case.second, case.first))]
            verdicts.append(pair(case.id, case.right, given_order, swapped, lengths=lengths, **common))
    return check_figures(verdicts)


def first(_: CheckCase, __: tuple[str, ...]) -> Choice:
    return "first"


def longer(_: CheckCase, shown: tuple[str, ...]) -> Choice:
    return "first" if len(shown) == 1 or len(shown[0]) > len(shown[1]) else "second"


def oracle(case: CheckCase, shown: tuple[str, ...]) -> Choice:
    if case.second is None:
        return "first" if case.right == "pass" else "second"
    if case.right == "tie":
        return "tie"
    return "first" if shown[0] == (case.first if case.right == "first" else case.second) else "second"


def test_judge_that_always_prefers_the_first_text_is_never_right_about_pairs() -> None:
    figures = judged(first)
    assert (figures.pairs.value, figures.swap_consistency.value, figures.first_chosen.value) == (0, 0, 1)
    assert figures.verdict_accuracy.value == 0.5, "each order by itself looks like guessing"
    assert (figures.too_lenient.value, figures.too_strict.value) == (1, 0)
    assert figures.self_agreement.value == 1


def test_judge_that_prefers_length_is_shown_beside_how_often_length_is_right() -> None:
    figures = judged(longer)
    assert figures.longer_chosen.value == 1
    assert figures.longer_right is not None
    assert 0.4 < figures.longer_right < 0.6
    assert (figures.right_longer.value, figures.right_shorter.value) == (1, 0)
    assert figures.swap_consistency.value is not None
    assert figures.swap_consistency.value > 0.9


def test_judge_that_knows_everything_is_right_everywhere() -> None:
    figures = judged(oracle)
    assert figures.accuracy.value == figures.pairs.value == figures.answers.value == figures.injection.value == 1
    assert figures.accuracy.cases == len(own_cases())
    assert all(category.accuracy.value == 1 for category in figures.categories)
    assert figures.accuracy.low is not None
    assert figures.accuracy.low > 0.95
    assert figures.longer_chosen.value == pytest.approx(figures.longer_right)


def test_missing_verdicts_and_those_of_the_program_count_in_no_rate() -> None:
    figures = check_figures(
        [
            pair("a", "first", "first", "first", cost_usd=0.01),
            pair("b", "first", outcome="unparsed", cost_usd=0.02),
            pair("c", "second", by_program=True),
            single("d", "fail", passed=False, outcome="pending"),
        ]
    )
    assert figures.outcomes == {"scored": 2, "unparsed": 1, "pending": 1}
    assert (figures.asked, figures.by_program, figures.pairs.cases, figures.pairs.value) == (4, 1, 1, 1)
    assert figures.pairs.low is None, "one case has no interval"
    assert figures.answers.value is None
    assert figures.cost_usd == pytest.approx(0.03)
    assert figures.cost_per_verdict_usd == pytest.approx(0.015)


def test_equal_answers_need_the_same_tie_in_both_orders() -> None:
    assert check_figures([pair("a", "tie", "tie", "tie")]).pairs.value == 1
    assert check_figures([pair("a", "tie", "first", "second")]).pairs.value == 0


def test_repeats_that_differ_lower_the_self_agreement_and_are_one_case() -> None:
    verdicts = [pair("a", "first", "first", "first"), pair("a", "first", "second", "second", repeat=2)]
    figures = check_figures(verdicts)
    assert (figures.self_agreement.value, figures.self_agreement.cases) == (0, 1)
    assert (figures.pairs.value, figures.pairs.cases) == (0.5, 1)


CHOICES = st.sampled_from(["first", "second", "tie"])


@given(st.lists(st.tuples(st.sampled_from("abcdef"), CHOICES, CHOICES, CHOICES, st.integers(1, 3)), max_size=40))
def test_rates_lie_within_their_intervals_whatever_the_verdicts(rows: list[Any]) -> None:
    figures = check_figures([pair(id_, right, a, b, repeat=n) for id_, right, a, b, n in rows])
    rates = [figures.pairs, figures.verdict_accuracy, figures.swap_consistency, figures.first_chosen]
    for rate in [*rates, figures.self_agreement, figures.longer_chosen]:
        assert (rate.value is None) == (rate.cases == 0)
        if rate.low is not None and rate.high is not None and rate.value is not None:
            assert 0 <= rate.low <= rate.value + 1e-9
            assert rate.value - 1e-9 <= rate.high <= 1


def test_cases_that_cannot_be_used_are_named() -> None:
    def case(**fields: Any) -> CheckCase:
        values = {"id": "a", "category": "c", "question": "q", "first": "x", "second": "y", "right": "first"}
        return CheckCase(**{**values, **fields})

    problems = case_problems([case(), case(), case(id="b", right="pass"), case(id="c", second="x ")])
    assert [(place, field) for place, field, _ in problems] == [(1, "id"), (2, "right"), (3, "second")]
