"""Test the sentences of a comparison's report."""

from typing import Any

import pytest

from orchestrator.comparison.handlers.report_words import cost_words
from orchestrator.comparison.ports.comparison import ComparedColumn
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
