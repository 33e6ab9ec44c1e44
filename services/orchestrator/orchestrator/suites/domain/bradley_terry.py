"""Rank the players of two-player games by the model of Bradley and Terry (1952), with sandwich intervals.

A tie is half a win for each. The intervals come from the sandwich estimator over clusters of games, as in Chatbot Arena
(Chiang et al. 2024, arXiv:2403.04132). With G clusters, they have the small-sample factor G/(G-1), and use the t
distribution with G-1 degrees of freedom.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from orchestrator.results.domain.intervals import t_975

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

_STEPS: Final = 100
_CLOSE: Final = 1e-12


@dataclass(frozen=True)
class Game:
    """A number (`count`) of games of one cluster with equal results. `score` is 1 if `first` wins, 0 if `second` wins,
    and 0.5 for a tie."""

    cluster: str
    first: str
    second: str
    score: float
    count: int = 1


@dataclass(frozen=True)
class Strength:
    """The strength of a player on the logit scale. All strengths add up to 0. `interval` is null with one cluster."""

    name: str
    value: float
    error: float
    interval: tuple[float, float] | None
    games: int


class NotRankable(Exception):
    """Raised if the players cannot be ranked, because the games determine no finite strengths. There are two causes.

    Either the players fall into several groups (`islands`), and no game connects the groups. Or all players are
    connected, but some of them (`unbeaten`) never lost or tied a game against the others.
    """

    def __init__(self, islands: Sequence[Sequence[str]], unbeaten: Sequence[str] = ()) -> None:
        super().__init__("the games determine no finite strengths")
        self.islands = [list(each) for each in islands]
        self.unbeaten = list(unbeaten)

    def sentence(self, labels: Mapping[str, str]) -> str:
        """Return why the players cannot be ranked, as a sentence for people. `labels` maps players to shown names."""
        if self.unbeaten:
            shown = ", ".join(labels.get(name, name) for name in self.unbeaten)
            return f"No finite strengths: {shown} never lost or tied a game against the others."
        islands = "; ".join(", ".join(labels.get(name, name) for name in island) for island in self.islands)
        return f"There are groups without a game between them: {islands}."


def strengths(games: Sequence[Game]) -> list[Strength]:
    """Return the strengths of all players, the strongest first.

    Raises `NotRankable` unless a chain of wins and ties leads from each player to every other one (Ford 1957).
    """
    import numpy as np

    names = sorted({name for game in games for name in (game.first, game.second)})
    _require_finite(names, games)
    place = {name: at for at, name in enumerate(names)}
    first = np.array([place[game.first] for game in games])
    second = np.array([place[game.second] for game in games])
    score = np.array([game.score for game in games])
    count = np.array([float(game.count) for game in games])
    theta = np.zeros(len(names))
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(theta[second] - theta[first]))
        moved = _inverse(len(names), first, second, count * expected * (1 - expected)) @ _sums(
            len(names), first, second, count * (score - expected)
        )
        theta += moved
        if float(np.abs(moved).max()) < _CLOSE:
            break
    theta -= theta.mean()
    expected = 1 / (1 + np.exp(theta[second] - theta[first]))
    bread = _inverse(len(names), first, second, count * expected * (1 - expected))
    clusters = sorted({game.cluster for game in games})
    of_cluster = {name: at for at, name in enumerate(clusters)}
    scores = np.zeros((len(clusters), len(names)))
    which = np.array([of_cluster[game.cluster] for game in games])
    np.add.at(scores, (which, first), count * (score - expected))
    np.add.at(scores, (which, second), -count * (score - expected))
    errors = np.sqrt(np.diag(bread @ (scores.T @ scores) @ bread))
    played: Counter[str] = Counter()
    for game in games:
        played[game.first] += game.count
        played[game.second] += game.count
    found = []
    for name, at in place.items():
        interval = _interval(float(theta[at]), float(errors[at]), len(clusters))
        found.append(Strength(name, float(theta[at]), float(errors[at]), interval, played[name]))
    return sorted(found, key=lambda each: (-each.value, each.name))


def _interval(value: float, error: float, clusters: int) -> tuple[float, float] | None:
    if clusters < 2:
        return None
    half = t_975(clusters - 1) * math.sqrt(clusters / (clusters - 1)) * error
    return value - half, value + half


def _sums(size: int, first: Any, second: Any, values: "Matrix") -> "Matrix":
    import numpy as np

    sums = np.zeros(size)
    np.add.at(sums, first, values)
    np.add.at(sums, second, -values)
    return sums


def _inverse(size: int, first: Any, second: Any, weights: "Matrix") -> "Matrix":
    """Return the pseudo-inverse of the information matrix of the players' strengths. The matrix has no inverse, because
    games determine only differences of strengths. `first` and `second` are the players of each game, as indices."""
    import numpy as np

    information = np.zeros((size, size))
    np.add.at(information, (first, first), weights)
    np.add.at(information, (second, second), weights)
    np.add.at(information, (first, second), -weights)
    np.add.at(information, (second, first), -weights)
    return np.asarray(np.linalg.pinv(information, hermitian=True), dtype=np.float64)


def _require_finite(names: Sequence[str], games: Sequence[Game]) -> None:
    beaten: dict[str, set[str]] = {name: set() for name in names}
    met: dict[str, set[str]] = {name: set() for name in names}
    for game in games:
        met[game.first].add(game.second)
        met[game.second].add(game.first)
        if game.score > 0:
            beaten[game.first].add(game.second)
        if game.score < 1:
            beaten[game.second].add(game.first)
    islands = _components(names, met)
    if len(islands) > 1:
        raise NotRankable(islands)
    lost: dict[str, set[str]] = {name: set() for name in names}
    for winner, losers in beaten.items():
        for loser in losers:
            lost[loser].add(winner)
    everybody = set(names)
    above = [name for name in names if _reached(name, lost) != everybody]
    if above:
        # The smallest group of players that never lost or tied a game against a player outside the group.
        best = min((_reached(name, lost) for name in above), key=lambda group: (len(group), sorted(group)))
        raise NotRankable(islands, sorted(best))


def _components(names: Sequence[str], met: Mapping[str, set[str]]) -> list[list[str]]:
    found: list[list[str]] = []
    seen: set[str] = set()
    for name in names:
        if name not in seen:
            group = _reached(name, met)
            seen |= group
            found.append(sorted(group))
    return found


def _reached(start: str, steps: Mapping[str, set[str]]) -> set[str]:
    reached, waiting = {start}, [start]
    while waiting:
        for each in steps[waiting.pop()] - reached:
            reached.add(each)
            waiting.append(each)
    return reached
