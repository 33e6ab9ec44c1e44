"""Test the strengths of Bradley and Terry's model, which are compared with results of evalica and statsmodels. Test
also the set of ranks that each strength may have.

`vectors_bradley_terry.json` holds inputs, expected values and their source.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from orchestrator.suites.domain.bradley_terry import Game, NotRankable, strengths
from orchestrator.suites.domain.rank_sets import rank_sets

VECTORS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "vectors_bradley_terry.json").read_text())
ORIGINALS = Path(__file__).parents[5] / "shared" / "vectors-2.json"
SCORES = {"x": 1.0, "y": 0.0, "tie": 0.5}


def _independent(games: Sequence[Sequence[Any]]) -> list[Game]:
    """Return the games as `Game` objects, each in a cluster of its own. A fourth value of a game is the number of its
    repetitions."""
    found: list[Game] = []
    for first, second, result, *count in games:
        for _ in range(count[0] if count else 1):
            found.append(Game(str(len(found)), first, second, SCORES[result]))
    return found


@pytest.mark.skipif(not ORIGINALS.exists(), reason="the originals are not beside this checkout")
def test_copied_vectors_equal_the_originals() -> None:
    originals = {vector["id"]: vector for vector in json.loads(ORIGINALS.read_text())["vectors"]}
    assert {name: {field: originals[name][field] for field in each} for name, each in VECTORS.items()} == VECTORS


@pytest.mark.parametrize("name", ["bradley_terry_ties", "bradley_terry_no_ties_unbalanced"])
def test_strengths_and_errors_equal_the_reference_values(name: str) -> None:
    inputs, expected = VECTORS[name]["inputs"], VECTORS[name]["expected"]
    found = strengths(_independent(inputs["games_x_y_result_count"]))
    assert [each.name for each in found] == expected["order"]
    by_name = {each.name: each for each in found}
    for player, theta, error in zip(
        inputs["names"], expected["theta_centered"], expected["se_theta_sumzero_sandwich"], strict=True
    ):
        assert by_name[player].value == pytest.approx(theta, abs=1e-6)
        assert by_name[player].error == pytest.approx(error, abs=1e-6)
        low, high = by_name[player].interval or (0, 0)
        assert high - low > 2 * 1.959 * error, "the interval has the small-sample factor and Student's t"
    counted = strengths(
        [
            Game(str(at), first, second, SCORES[result], count)
            for at, (first, second, result, count) in enumerate(inputs["games_x_y_result_count"])
        ]
    )
    assert [each.value for each in counted] == pytest.approx([each.value for each in found], abs=1e-9)


@pytest.mark.parametrize(
    ("name", "islands", "unbeaten", "sentence"),
    [
        (
            "two_islands",
            [["A", "B"], ["C", "D"]],
            [],
            "There are groups without a game between them: Ann, B; C, D.",
        ),
        (
            "unbeaten",
            [["A", "B", "C"]],
            ["A"],
            "No finite strengths: Ann never lost or tied a game against the others.",
        ),
    ],
)
def test_games_without_finite_strengths_are_refused(
    name: str, islands: list[list[str]], unbeaten: list[str], sentence: str
) -> None:
    inputs = VECTORS["bradley_terry_disconnected"]["inputs"]
    with pytest.raises(NotRankable) as refused:
        strengths(_independent(inputs[name]["games_x_y_result"]))
    assert (refused.value.islands, refused.value.unbeaten) == (islands, unbeaten)
    assert refused.value.sentence({"A": "Ann"}) == sentence


def test_circle_of_wins_has_finite_strengths() -> None:
    inputs = VECTORS["bradley_terry_disconnected"]["inputs"]
    found = strengths(_independent(inputs["fine"]["games_x_y_result"]))
    assert [each.name for each in found] == ["A", "B", "C"]
    assert sum(each.value for each in found) == pytest.approx(0, abs=1e-9)


def test_dependent_games_widen_the_interval() -> None:
    games = [Game(str(at), "a", "b", float(at % 3 > 0)) for at in range(30)]
    alike = [Game(game.cluster, game.first, game.second, game.score, 4) for game in games]
    apart = [Game(f"{game.cluster}/{part}", game.first, game.second, game.score) for game in games for part in range(4)]
    ((dependent, _), (independent, _)) = (strengths(alike), strengths(apart))
    assert dependent.value == pytest.approx(independent.value)
    assert dependent.error == pytest.approx(2 * independent.error)
    single = strengths([Game("one", "a", "b", 1, 2), Game("one", "a", "b", 0)])
    assert [each.interval for each in single] == [None, None]


def test_intervals_that_touch_do_not_separate() -> None:
    assert rank_sets([(0.5, 0.6), (0.4, 0.5), (0.1, 0.2)]) == [(1, 2), (1, 2), (3, 3)]
    assert rank_sets([(0.5, 0.5)]) == [(1, 1)]
    assert rank_sets([]) == []
    assert rank_sets([None, (0, 0.1), (0.2, 0.3)]) == [(1, 3), (2, 3), (1, 2)]
