"""Statistics of paired differences. A case is one pair, however many epochs it has, and so is a conversation, however
many turns: what is of one cluster is averaged.

Bootstrap as in Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13; Wilcoxon (1945), McNemar
(1947), Benjamini and Hochberg (1995) by scipy; Holm (1979). numpy and scipy are imported where they are used: an idle
service does without them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Differences of floats that should be equal are not: 0.72 - 0.7 is not 0.02. Ranks need them so.
DIGITS = 9
_SEED = 20_261_121
_RESAMPLES = 10_000
# Up to so many different values a resample is drawn by how often each occurs, which is the same
# distribution at a price that does not grow with the cases.
_FEW_VALUES = 256
_DRAWS = 20_000_000
_DRAWS_AT_ONCE = 2_000_000
_EXACT_MCNEMAR_BELOW = 25
_BOUNDS = (0.025, 0.975)


@dataclass(frozen=True)
class Differences:
    """How many cases have which difference, candidate minus baseline."""

    counted: tuple[tuple[float, int], ...]

    @classmethod
    def tally(cls, counted: Iterable[tuple[float, int]]) -> "Differences":
        """From differences with how often each was found; equal ones add up."""
        sums: Counter[float] = Counter()
        for value, count in counted:
            # A negative zero would be a value of its own.
            sums[round(value, DIGITS) + 0.0] += count
        return cls(tuple(sorted(sums.items())))

    @classmethod
    def of(cls, values: Iterable[float]) -> "Differences":
        return cls.tally((value, 1) for value in values)

    @property
    def cases(self) -> int:
        return sum(count for _, count in self.counted)

    @property
    def better(self) -> int:
        return sum(count for value, count in self.counted if value > 0)

    @property
    def worse(self) -> int:
        return sum(count for value, count in self.counted if value < 0)

    @property
    def mean(self) -> float | None:
        return sum(value * count for value, count in self.counted) / self.cases if self.counted else None


def variance(differences: Differences) -> float | None:
    """Of one case's difference; `None` with fewer than two cases."""
    mean = differences.mean
    if mean is None or differences.cases < 2:
        return None
    return sum(count * (value - mean) ** 2 for value, count in differences.counted) / (differences.cases - 1)


def bootstrap_interval(differences: Differences) -> tuple[float, float] | None:
    """The middle 95 % of the means of resampled cases; the same cases always give the same bounds.
    `None` where nothing varies, or with fewer than two cases: the spread is unknown then."""
    if len(differences.counted) < 2:
        return None
    import numpy as np

    low, high = np.quantile(_resampled_means(differences), _BOUNDS)
    return float(low), float(high)


def _resampled_means(differences: Differences) -> "Floats":
    import numpy as np

    random = np.random.default_rng(_SEED)
    values, counts, n = _columns(differences)
    if len(values) <= _FEW_VALUES:
        means: Floats = random.multinomial(n, counts / n, size=_RESAMPLES) @ values / n
        return means
    cases = np.repeat(values, counts)
    resamples = max(1_000, min(_RESAMPLES, _DRAWS // n))
    at_once = max(1, _DRAWS_AT_ONCE // n)
    return np.concatenate(
        [
            cases[random.integers(n, size=(min(at_once, resamples - done), n))].mean(axis=1)
            for done in range(0, resamples, at_once)
        ]
    )


def wilcoxon_p(differences: Differences) -> float | None:
    """Two-sided signed-rank test; cases without a difference say nothing. `None` when no case differs."""
    import numpy as np

    values, counts, _ = _columns(differences)
    cases = np.repeat(values, counts)
    cases = cases[cases != 0]
    if cases.size == 0:
        return None
    from scipy.stats import wilcoxon

    return float(wilcoxon(cases).pvalue)


def mcnemar_p(gained: int, lost: int) -> float | None:
    """Of the cases that pass in one column only: exact when they are few, else chi-squared with the
    correction for continuity. `None` when there is none."""
    discordant = gained + lost
    if discordant == 0:
        return None
    from scipy.stats import binomtest, chi2

    if discordant < _EXACT_MCNEMAR_BELOW:
        return float(binomtest(min(gained, lost), discordant, 0.5).pvalue)
    distance = max(0, abs(gained - lost) - 1)
    return float(chi2.sf(distance * distance / discordant, df=1))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Each adjusted for there being several; what is `None` was not tested."""
    tested = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, at) in enumerate(tested):
        highest = max(highest, min(1.0, p * (len(tested) - rank)))
        adjusted[at] = highest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """Each adjusted so that of those that are called differences, few are none; what is `None` was not tested."""
    tested = [at for at, p in enumerate(p_values) if p is not None]
    adjusted: list[float | None] = [None] * len(p_values)
    if tested:
        from scipy.stats import false_discovery_control

        for at, p in zip(tested, false_discovery_control([p_values[at] for at in tested]), strict=True):
            adjusted[at] = float(p)
    return adjusted


def _columns(differences: Differences) -> "tuple[Floats, NDArray[np.int64], int]":
    import numpy as np

    values = np.array([value for value, _ in differences.counted], dtype=np.float64)
    counts = np.array([count for _, count in differences.counted], dtype=np.int64)
    return values, counts, differences.cases
