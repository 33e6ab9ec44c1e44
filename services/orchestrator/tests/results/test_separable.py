"""Test that a report ranks targets like the page of a run in the browser. The tests of both read the same example
file."""

import json
from pathlib import Path
from typing import Any

import pytest

from orchestrator.results.domain.separable import Ranked, best_first, ranking_sentence

_EXAMPLES = json.loads((Path(__file__).parents[4] / "web/src/testing/rankings.json").read_text())


def _ranked(label: str, items: int, scored: int, mean: float | None, interval: list[float] | None) -> Ranked:
    return Ranked(label, items, scored, mean, (interval[0], interval[1]) if interval else None)


@pytest.mark.parametrize("example", _EXAMPLES, ids=lambda example: example["sentence"][:40])
def test_sentence_is_that_of_the_page(example: dict[str, Any]) -> None:
    assert ranking_sentence([_ranked(**target) for target in example["targets"]]) == example["sentence"]


def test_targets_without_a_mean_come_last() -> None:
    targets = [_ranked("none", 1, 0, None, None), _ranked("low", 1, 1, 0.1, None), _ranked("high", 1, 1, 0.9, None)]
    assert [target.label for target in best_first(targets)] == ["high", "low", "none"]
