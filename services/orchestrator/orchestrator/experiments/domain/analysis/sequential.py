"""Compute a confidence sequence by betting: an interval that is valid at every look, for every distribution.

Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS-B 86 (2024). A gambler starts
with capital 1 and bets on one cluster after another, in their order, that θ is too small. If θ is the true value, the
capital ever exceeds 1/α with probability at most α (Ville's inequality). So every θ at which it ever did is excluded,
and stays excluded: the bounds only get closer.

Each bet uses only earlier clusters: it is √(2 ln(1/α) / (h σ²)), where σ² is the variance so far. Half of the capital
is staked for a decision at the planned sample (h), the other half for one at a quarter of it. The gate's interval
(comparison/domain/betting.py) may not be looked at early, because it reads the number of clusters and shuffles them.

Cost and latency have no bounds, so nothing is valid for every distribution of them. The sequence is therefore about
capped values: the mean of a cluster counts at most as the cap. If no cap is declared, it is five times the mean of the
control's first ten clusters, which are then not bet on.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.experiments.domain.analysis.columns import Pairs

if TYPE_CHECKING:
    from orchestrator.experiments.domain.analysis.columns import Floats

CALIBRATION = 10
CAP_FACTOR = 5.0
STAKE = 0.9
"""The largest share of the capital that one cluster can lose. With 1, a single loss would lose everything."""
HORIZONS = ((0.5, 1.0), (0.5, 0.25))
"""Shares of the capital, and the share of the planned sample at which each is meant to decide."""
METHOD = "betting confidence sequence"
_PRECISION = 1e-9
_LARGEST_RATIO = 1e6


@dataclass(frozen=True)
class Sequence:
    """A confidence sequence for θ, the value at which `left` - θ `right` has the mean 0.

    `scale` makes bets comparable: |left - θ right| is mostly at most `scale`. `least` and `most` limit θ. `loss_below`
    returns the largest loss of one cluster per unit of a bet that θ is larger than the given value. `loss_above` does
    the same for a bet that θ is smaller.
    """

    left: "Floats"
    right: "Floats"
    planned: int
    scale: float
    least: float
    most: float
    loss_below: Callable[[float], float]
    loss_above: Callable[[float], float]

    def low(self, alpha: float) -> float:
        """Return the lower bound. However often the data is analysed, the probability that the bound ever exceeds the
        true value is at most `alpha`."""
        bets, limit = self._bets(alpha), -math.log(alpha)

        def beyond(theta: float) -> float:
            return self._capital(self.left - theta * self.right, bets, self.loss_below(theta)) - limit

        return _edge(beyond, self.least, self._far(beyond), unit=self.scale)

    def high(self, alpha: float) -> float:
        """Return the upper bound. For a ratio of two metrics without bounds, it is infinite as long as the data does
        not limit the ratio."""
        bets, limit = self._bets(alpha), -math.log(alpha)

        def beyond(theta: float) -> float:
            return self._capital(theta * self.right - self.left, bets, self.loss_above(theta)) - limit

        if not math.isinf(self.most):
            return _edge(beyond, self.most, self.least, unit=self.scale)
        most = self._far(lambda theta: -beyond(theta))
        return math.inf if most > _LARGEST_RATIO else _edge(beyond, most, self.least, unit=self.scale)

    def excluded_after(self, theta: float, alpha: float, *, from_below: bool) -> int | None:
        """Return the number of clusters after which `theta` was first excluded; `None` if it is not excluded.

        With `from_below`, it is excluded by a lower bound above `theta`; otherwise by an upper bound below it.
        """
        gains = self.left - theta * self.right
        loss = self.loss_below(theta) if from_below else self.loss_above(theta)
        if loss <= 0 or not len(gains):
            return None
        capitals = _capitals(gains if from_below else -gains, self._bets(alpha), loss)
        reached = capitals >= -math.log(alpha)
        return int(reached.argmax()) + 1 if reached.any() else None

    def _far(self, beyond: Callable[[float], float]) -> float:
        """Return the upper limit of θ. If there is none, return the first power of two at which `beyond` is negative,
        or one above `_LARGEST_RATIO` if there is none up to that number."""
        if not math.isinf(self.most):
            return self.most
        most = 1.0
        while most <= _LARGEST_RATIO and beyond(most) >= 0:
            most *= 2
        return most

    def _bets(self, alpha: float) -> "list[Floats]":
        """Return an array of bets on the clusters for each of `HORIZONS`. The bets do not depend on θ, so that the
        capital is monotone in θ."""
        import numpy as np

        n = len(self.left)
        times = np.arange(1, n + 1)
        ratio = np.concatenate(([self._start], (self._start + np.cumsum(self.left)) / (1 + np.cumsum(self.right))))[:-1]
        residuals = self.left - ratio * self.right
        squares = (self.scale / 2) ** 2
        variances = (squares + np.concatenate(([0.0], np.cumsum(residuals**2)[:-1]))) / times
        return [
            np.sqrt(2 * math.log(1 / alpha) / (max(2.0, self.planned * horizon) * variances)) for _, horizon in HORIZONS
        ]

    @property
    def _start(self) -> float:
        return 1.0 if math.isinf(self.most) else (self.least + self.most) / 2

    def _capital(self, gains: "Floats", bets: "list[Floats]", loss: float) -> float:
        """Return the logarithm of the largest capital that the gambler has after one of the clusters. Without clusters,
        or if `loss` is not above 0, return 0, the logarithm of the capital at the start. The parameters are those of
        `_capitals`."""
        return float(_capitals(gains, bets, loss).max()) if loss > 0 and len(gains) else 0.0


def _capitals(gains: "Floats", bets: "list[Floats]", loss: float) -> "Floats":
    """Return the logarithm of the gambler's capital after each cluster; it begins at 1. The capital is divided as in
    `HORIZONS`; `bets` has an array of bets for each part. `gains` has each cluster's gain per unit of the bet. `loss`
    is the largest possible loss of a cluster per unit. Bets are capped, so that no cluster costs more than the share
    `STAKE` of the capital."""
    import numpy as np

    parts = [
        math.log(share) + np.cumsum(np.log1p(np.maximum(np.minimum(each, STAKE / loss) * gains, -STAKE)))
        for (share, _), each in zip(HORIZONS, bets, strict=True)
    ]
    return np.asarray(np.logaddexp(*parts), dtype=np.float64)


def bounded_mean(
    totals: "Floats", weights: "Floats", *, bounds: tuple[float, float], planned: int, largest: float
) -> Sequence:
    """Return the confidence sequence of the mean Σ totals / Σ weights of values within `bounds`.

    `largest` is the largest possible weight of a cluster, known in advance. Raises `ValueError` if a cluster is
    heavier, or has a mean outside the bounds.
    """
    import numpy as np

    least, most = bounds
    if len(weights) and float(weights.max()) > largest * (1 + 1e-9):
        raise ValueError("a cluster has more answers than the largest cluster of the setup")
    slack = 1e-6 * (most - least)
    if ((totals < (least - slack) * weights) | (totals > (most + slack) * weights)).any():
        raise ValueError(f"a value is outside its bounds, {least:g} to {most:g}")
    weights = weights / largest
    totals = np.clip(totals / largest, least * weights, most * weights)
    return Sequence(
        left=totals,
        right=weights,
        planned=planned,
        scale=most - least,
        least=least,
        most=most,
        loss_below=lambda theta: theta - least,
        loss_above=lambda theta: most - theta,
    )


def capped_ratio(pairs: Pairs, *, cap: float | None, planned: int, largest: float) -> tuple[Sequence | None, float]:
    """Return the confidence sequence of mean(treatment) / mean(control), and the cap. Values are capped: a cluster
    whose mean is larger than the cap counts as the cap. The sequence is `None` as long as the cap is unknown."""
    import numpy as np

    control, treatment, weights = pairs.control, pairs.treatment, pairs.weights
    if (control < 0).any() or (treatment < 0).any():
        raise ValueError("costs and latencies are not negative")
    if cap is None:
        first = slice(0, CALIBRATION)
        if len(control) <= CALIBRATION or not control[first].any():
            return None, 0.0
        cap = CAP_FACTOR * float(control[first].sum() / weights[first].sum())
        control, treatment, weights = control[CALIBRATION:], treatment[CALIBRATION:], weights[CALIBRATION:]
    if len(weights) and float(weights.max()) > largest * (1 + 1e-9):
        raise ValueError("a cluster has more answers than the largest cluster of the setup")
    unit = cap * largest
    left = np.minimum(treatment, cap * weights) / unit
    right = np.minimum(control, cap * weights) / unit
    sequence = Sequence(
        left=left,
        right=right,
        planned=planned,
        scale=2 / CAP_FACTOR,
        least=0.0,
        most=math.inf,
        loss_below=lambda theta: theta,
        loss_above=lambda _: 1.0,
    )
    return sequence, cap


def blocks(control: "Floats", treatment: "Floats", *, shares: tuple[float, float]) -> Pairs:
    """Return pairs of the units of a split design, in the order of arrival: the first unit of each variant, the second
    of each, and so on.

    `shares` are the allocations of control and treatment. If one variant gets twice the units of the other, the mean of
    two of its units forms a pair with one unit of the other. Any other multiple works in the same way.
    """
    import numpy as np

    of_control = max(1, math.floor(shares[0] / shares[1] + 1e-9))
    of_treatment = max(1, math.floor(shares[1] / shares[0] + 1e-9))
    many = min(len(control) // of_control, len(treatment) // of_treatment)
    return Pairs(
        control=control[: many * of_control].reshape(many, of_control).mean(axis=1),
        treatment=treatment[: many * of_treatment].reshape(many, of_treatment).mean(axis=1),
        weights=np.ones(many),
    )


def _edge(beyond: Callable[[float], float], start: float, end: float, *, unit: float) -> float:
    """Return where the refuted values end on the way from `start` to `end`; `start` if none is refuted. A value is
    refuted if `beyond` is positive for it. The refuted values have to be next to `start`. The precision is about 1e-9
    of `unit`."""
    from scipy.optimize import brentq

    step = math.copysign(_PRECISION * unit, end - start)
    if beyond(start + step) < 0:
        return start
    if beyond(end - step) >= 0:
        return end
    return float(brentq(beyond, start + step, end - step, xtol=_PRECISION * unit)) - step
