"""Test the sentences of a comparison's report."""

from typing import Any

import pytest

from orchestrator.comparison.domain.verdicts import Verdict
from orchestrator.comparison.handlers.report_words import case_words, cost_words, pass_words, quality_words
from orchestrator.comparison.ports.benchmarks import RunComparison
from orchestrator.comparison.ports.comparison import ColumnComparison, ComparedColumn, PassComparison, ScoreComparison
from orchestrator.results.ports.figure_schemas import Figures


def column(cost_usd: float | None, priced: int, cached: int = 0) -> ComparedColumn:
    figures: dict[str, Any] = {"cost_usd": cost_usd, "priced": priced, "cached": cached, "timed": 4 - cached}
    known: dict[str, Any] = {"figures": Figures.model_construct(**figures)}
    return ComparedColumn.model_construct(**known)


@pytest.mark.parametrize(
    ("here", "base", "sentence"),
    [
        ((0.2, 4), (0.1, 4), "An answer costs 0.050000 USD instead of 0.025000."),
        ((0.1, 2, 2), (0.2, 4), "Both cost 0.050000 USD an answer."),
        ((0.288, 24), (0.36, 30), "Both cost 0.012000 USD an answer."),
        ((None, 0, 2), (0.2, 4), "Cost of an answer in USD: unknown against 0.050000, so it cannot be compared."),
        (
            (0.0, 0, 4),
            (0.2, 4),
            "Its answers came from the cache and cost nothing here; the baseline's cost 0.050000 USD each.",
        ),
        ((0.0, 0, 4), (None, 0), None),
        ((0.0, 4), (0.0, 4), "Neither costs anything."),
    ],
)
def test_cost_of_an_answer_is_that_of_the_answers_that_were_paid_for(
    here: Any, base: Any, sentence: str | None
) -> None:
    assert cost_words(column(*here), column(*base)) == sentence


def test_models_of_one_run_are_named_and_two_runs_are_before_and_after() -> None:
    passed: dict[str, Any] = {"cases": 20, "gained": 1, "lost": 3, "verdict": Verdict.WORSE}
    passes = PassComparison.model_construct(**passed)
    assert pass_words(passes, "B", "A", one_run=True) == "1 case passed only with B, and 3 only with A."
    assert pass_words(passes, "B", "A", one_run=False) == "1 case passed only now, and 3 only before."
    counts: dict[str, Any] = {"cases": 9, "better": 1, "worse": 2, "equal": 6}
    score = ScoreComparison.model_construct(**counts)
    assert case_words(score, 0, one_run=True) == "Of 9 compared cases, 1 is better, 2 worse, and 6 equal."
    assert case_words(score, 0, one_run=False) == "Of 9 compared cases, 1 got better, 2 worse, and 6 stayed equal."


def score(**known: Any) -> ScoreComparison:
    means: dict[str, Any] = {"mean_here": 0.5, "mean_baseline": 0.5, "simultaneous": None, "clusters_needed": None}
    return ScoreComparison.model_construct(**means | known)


LITTLE: dict[str, Any] = {
    "cases_in_both": 48,
    "coverage": 43 / 48,
    "least_covered": None,
    "withheld": None,
    "score": score(cases=43, clusters=43, mean=0.1, verdict=Verdict.LOW_COVERAGE),
}


@pytest.mark.parametrize(
    ("kind", "known", "lacking"),
    [
        (ColumnComparison, {}, "43 of the 48 cases"),
        (ColumnComparison, {"least_covered": "sums"}, "89% of the cases of the task 'sums'"),
        (RunComparison, {"pairs": 1}, "43 of the 48 cases"),
        (RunComparison, {"pairs": 3, "cases_in_both": 144}, "89% of the cases of one pair of targets"),
    ],
)
def test_coverage_below_the_limit_does_not_read_as_the_limit(kind: Any, known: dict[str, Any], lacking: str) -> None:
    """43 of 48 cases are 89.6 %."""
    words = quality_words("b", "a", kind.model_construct(**LITTLE | known))
    assert f"Only {lacking} that both have are scored in both, and 90% are needed" in words


@pytest.mark.parametrize(
    ("mean", "better", "worse", "clusters", "reason"),
    [
        (0.0, 2, 2, 4, "better and worse cancel out over 4 cases."),
        (0.5, 1, 0, 1, "1 case is too few."),
        (1e-9, 2, 2, 4, "a difference this small cannot be distinguished from none."),
    ],
)
def test_reason_without_a_needed_number_fits_the_difference(
    mean: float, better: int, worse: int, clusters: int, reason: str
) -> None:
    """One case that got better cancels nothing out."""
    near = score(
        mean=mean, better=better, worse=worse, cases=clusters, clusters=clusters, verdict=Verdict.NOT_SEPARABLE
    )
    compared: dict[str, Any] = LITTLE | {"coverage": 1, "score": near}
    assert quality_words("b", "a", ColumnComparison.model_construct(**compared)).endswith(reason)
