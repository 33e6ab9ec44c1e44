"""Estimate a mean, or a difference of two means, with its t distribution.

A paired design uses the paired t test over clusters (Student 1908). Clusters may differ in size, so the mean is a ratio
of two sums (Cochran, "Sampling Techniques", 1977, chapter 6).

A split design uses Welch's t test ("The generalization of Student's problem when several different population variances
are involved", Biometrika 34, 1947). If the difference is a share of the control's mean, the delta method gives its
variance (Deng, Knoblich and Lu, KDD 2018).
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.experiments.domain.analysis.columns import Pairs

if TYPE_CHECKING:
    from orchestrator.experiments.domain.analysis.columns import Floats

# Below this share of the size of the values, a spread is only rounding error.
_ROUNDING = 1e-9

_TOO_FEW = "at least two clusters with a value are needed"
_NO_SPREAD = "all values are equal, so their spread is unknown"
_NO_BASE = "the control's mean is not above 0, so there is no share of it"


@dataclass(frozen=True)
class Estimate:
    """An estimated mean with its standard error and degrees of freedom.

    `reason` says why `error` is `None`; without an error there is no interval and no p value. `mean` is `None` without
    data.
    """

    mean: float | None
    error: float | None
    df: float
    clusters: int
    method: str
    reason: str | None = None

    def interval(self, alpha: float) -> tuple[float, float] | None:
        """Return the interval with the error probability `alpha` / 2 at each end; `None` if mean or error is
        unknown."""
        from scipy.special import stdtrit

        if self.error is None or self.mean is None:
            return None
        half = float(stdtrit(self.df, 1 - alpha / 2)) * self.error
        return self.mean - half, self.mean + half

    def t(self, hypothesis: float = 0.0) -> float | None:
        if self.error is None or self.mean is None:
            return None
        return (self.mean - hypothesis) / self.error

    def p_two_sided(self) -> float | None:
        from scipy.special import stdtr

        t = self.t()
        return None if t is None else 2 * float(stdtr(self.df, -abs(t)))

    def p_greater(self, hypothesis: float = 0.0) -> float | None:
        """Return the one-sided p value of "the mean is at most `hypothesis`"; `None` if mean or error is unknown."""
        from scipy.special import stdtr

        t = self.t(hypothesis)
        return None if t is None else float(stdtr(self.df, -t))

    @property
    def reversed(self) -> "Estimate":
        """Return the same estimate with the opposite sign."""
        mean = None if self.mean is None else -self.mean
        return Estimate(mean, self.error, self.df, self.clusters, self.method, self.reason)


def of_mean(totals: "Floats", weights: "Floats", *, method: str = "t over clusters") -> Estimate:
    """Return the mean Σ totals / Σ weights with its standard error. The error takes into account that the mean is a
    ratio of two sums (see the module)."""
    import numpy as np

    n = len(totals)
    if n == 0:
        return Estimate(None, None, 0, 0, method, "no cluster has a value")
    mean = float(totals.sum() / weights.sum())
    if n == 1:
        return Estimate(mean, None, 0, 1, method, _TOO_FEW)
    residuals = totals - mean * weights
    spread = math.sqrt(n / (n - 1) * float(residuals @ residuals) / n)
    if spread <= _ROUNDING * max(float(np.abs(totals).max()), float(weights.max())):
        return Estimate(mean, None, n - 1, n, method, _NO_SPREAD)
    return Estimate(mean, spread * math.sqrt(n) / float(weights.sum()), n - 1, n, method)


def paired_difference(pairs: Pairs) -> Estimate:
    return of_mean(pairs.differences, pairs.weights, method="paired t")


def paired_share(pairs: Pairs) -> Estimate:
    """Return Σ (treatment - control) / Σ control: the difference as a share of the control's mean."""
    method = "paired t of the ratio"
    if len(pairs.control) and float(pairs.control.sum()) <= 0:
        return Estimate(None, None, 0, len(pairs.control), method, _NO_BASE)
    return of_mean(pairs.treatment - pairs.control, pairs.control, method=method)


def welch(control: "Floats", treatment: "Floats") -> Estimate:
    """Return mean(treatment) - mean(control) of two independent samples with unequal variances."""
    return _welch(control, treatment, share=False)


def welch_share(control: "Floats", treatment: "Floats") -> Estimate:
    """Return mean(treatment) / mean(control) - 1, with the delta-method variance."""
    return _welch(control, treatment, share=True)


def _welch(control: "Floats", treatment: "Floats", *, share: bool) -> Estimate:
    import numpy as np

    method = "Welch's t of the ratio" if share else "Welch's t"
    many = min(len(control), len(treatment))
    if many == 0:
        return Estimate(None, None, 0, 0, method, "a variant has no cluster with a value")
    base, mean = float(control.mean()), float(treatment.mean())
    if share and base <= 0:
        return Estimate(None, None, 0, many, method, _NO_BASE)
    difference = mean / base - 1 if share else mean - base
    if many == 1:
        return Estimate(difference, None, 0, 1, method, _TOO_FEW)
    of_control, of_treatment = (float(arm.var(ddof=1)) / len(arm) for arm in (control, treatment))
    if share:
        of_control, of_treatment = of_control * mean**2 / base**4, of_treatment / base**2
    size = max(float(np.abs(control).max()), float(np.abs(treatment).max())) / (base if share else 1)
    total = of_control + of_treatment
    if math.sqrt(total * many) <= _ROUNDING * size:
        return Estimate(difference, None, 0, many, method, _NO_SPREAD)
    df = total**2 / (of_control**2 / (len(control) - 1) + of_treatment**2 / (len(treatment) - 1))
    return Estimate(difference, math.sqrt(total), df, many, method)


def cohens_d(control: "Floats", treatment: "Floats") -> float | None:
    """Return the difference of two means in pooled standard deviations. Return `None` if a sample has fewer than two
    values, or if no value differs from its sample's mean.

    Cohen, "Statistical Power Analysis for the Behavioral Sciences" (1988), chapter 2.
    """
    import numpy as np

    if min(len(control), len(treatment)) < 2:
        return None
    squares = (len(control) - 1) * float(control.var(ddof=1)) + (len(treatment) - 1) * float(treatment.var(ddof=1))
    pooled = math.sqrt(squares / (len(control) + len(treatment) - 2))
    if pooled <= _ROUNDING * max(float(np.abs(control).max()), float(np.abs(treatment).max())):
        return None
    return (float(treatment.mean()) - float(control.mean())) / pooled


def effect_word(d: float | None) -> str | None:
    """Return Cohen's word for the size of an effect; `None` if the size is unknown.

    >>> effect_word(-0.6)
    'medium'
    """
    if d is None:
        return None
    for below, word in ((0.2, "negligible"), (0.5, "small"), (0.8, "medium")):
        if abs(d) < below:
            return word
    return "large"
