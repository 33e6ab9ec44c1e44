"""Compute a confidence sequence by betting: an interval that is valid at every look, for every distribution.

Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS-B 86 (2024). To test a value θ,
a gambler with the capital 1 bets on one cluster after another that the true value is larger than θ. If θ is the true
value, the probability that the capital ever reaches 1/α is at most α (Ville's inequality). So if the capital reaches
1/α, θ is excluded for good. The lower bound is the largest value that these bets exclude. The upper bound is found in
the same way, by bets that the true value is smaller than θ.

Each bet is √(2 ln(1/α) / (h σ²)). σ² is the variance of the earlier clusters, and h the number of clusters after which
the bets are meant to decide. The capital has two halves, each with its own bets. For one half, h is the planned sample.
For the other half, h is a quarter of the planned sample, so this half can decide earlier.

Gates have another interval by betting (`comparison/domain/betting.py`). It is valid at one look only, because it uses
the final number of clusters and shuffles them.

Cost and latency have no bounds, so no interval of their means is valid for every distribution. Their values are
therefore capped: a cluster whose mean is larger than the cap counts as the cap. By default, the cap is five times the
mean of the control's first ten clusters, and the gambler does not bet on these.
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
"""The parts of the gambler's capital, as pairs: the part's share of the capital, and the share of the planned sample at
which the part is meant to decide."""
METHOD = "betting confidence sequence"
_PRECISION = 1e-9
_LARGEST_RATIO = 1e6


@dataclass(frozen=True)
class Sequence:
    """A confidence sequence for the value θ at which `left` - θ `right` has the mean 0. It is computed from the bets of
    the gambler that the module describes.

    `least` and `most` limit θ. `scale` is the usual size of `left` - θ `right`. `loss_below` and `loss_above` take the
    tested value of θ, and return the most that a bet of 1 can lose in one cluster. `loss_below` is for the bets that
    find the lower bound, `loss_above` for those that find the upper bound.
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
        """Return the upper bound. The bound of a ratio of means (cost, latency) is infinite as long as the data does
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

        With `from_below` only the lower bound counts, otherwise only the upper bound.
        """
        gains = self.left - theta * self.right
        loss = self.loss_below(theta) if from_below else self.loss_above(theta)
        if loss <= 0 or not len(gains):
            return None
        capitals = _capitals(gains if from_below else -gains, self._bets(alpha), loss)
        reached = capitals >= -math.log(alpha)
        return int(reached.argmax()) + 1 if reached.any() else None

    def _far(self, beyond: Callable[[float], float]) -> float:
        """Return the value of θ at which the search for a bound ends (see `_edge`): `most`, if that is finite.

        Otherwise it is the smallest power of two at which `beyond` is negative. `beyond` is a function of θ whose sign
        changes at the bound. If no power of two up to `_LARGEST_RATIO` makes it negative, the result is larger than
        that.
        """
        if not math.isinf(self.most):
            return self.most
        most = 1.0
        while most <= _LARGEST_RATIO and beyond(most) >= 0:
            most *= 2
        return most

    def _bets(self, alpha: float) -> "list[Floats]":
        """Return how much the gambler (see the module) bets on each cluster. There is one array of bets for each part
        of the gambler's capital (see `HORIZONS`). `alpha` is the error probability of one bound.

        The bets do not depend on the tested value θ. So the capital only falls or only rises with θ, and `_edge` can
        search for the bound.
        """
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
        """Return the largest logarithm of the capital that the gambler ever reaches (see `_capitals`). Return 0, the
        logarithm at the start, if there are no clusters or if no bet can lose (`loss` is not above 0)."""
        return float(_capitals(gains, bets, loss).max()) if loss > 0 and len(gains) else 0.0


def _capitals(gains: "Floats", bets: "list[Floats]", loss: float) -> "Floats":
    """Return the logarithm of the gambler's capital (see the module) after each cluster. The capital at the start is 1.

    `gains` has, for each cluster, the gain of a bet of 1, and `loss` is the most that such a bet can lose. `bets` has
    an array of bets for each part of the capital (see `HORIZONS`). Bets are limited, so that no cluster loses more than
    the share `STAKE` of the capital.
    """
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
    """Return the confidence sequence of mean(treatment) / mean(control), and the cap that it uses. A cluster whose mean
    is larger than the cap counts as the cap.

    If `cap` is `None`, the cap is computed from the control's first `CALIBRATION` clusters. The sequence then leaves
    out these clusters. Return `None` and 0 as long as there are no more clusters than these, or if all their values are
    0.
    """
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
    """Return the last excluded value on the way from `start` to `end`; `start` if none is excluded. A value is excluded
    if `beyond` is positive for it. The caller makes sure that the excluded values are next to `start`. The precision is
    about 1e-9 of `unit`."""
    from scipy.optimize import brentq

    step = math.copysign(_PRECISION * unit, end - start)
    if beyond(start + step) < 0:
        return start
    if beyond(end - step) >= 0:
        return end
    return float(brentq(beyond, start + step, end - step, xtol=_PRECISION * unit)) - step
