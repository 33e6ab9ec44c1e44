"""Compute the posterior of a difference d: the probability of an improvement, both risks and the credible interval.

The reference prior of a normal mean and variance gives a Student t posterior. Its credible interval is the t interval
(Bernardo and Smith, "Bayesian Theory", 1994, section 5.4). A normal prior of the difference gives a normal posterior,
as in GrowthBook's gbstats. There are two choices, treatment and control. The risk of a choice is the expected loss if
the choice is wrong: E[max(0, -d)] for the treatment, and E[max(0, d)] for the control.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

from orchestrator.experiments.domain.analysis.estimates import Estimate
from orchestrator.experiments.domain.analysis.types import Prior

REFERENCE = "reference prior (flat in the mean and in the logarithm of the variance)"


@dataclass(frozen=True)
class Posterior:
    """The posterior of treatment minus control, signed so that a positive difference is an improvement.

    `low` and `high` are the ends of the central credible interval. Risks are `None` if the posterior has no mean.
    """

    mean: float
    probability_of_improvement: float
    risk_of_treatment: float | None
    risk_of_control: float | None
    low: float
    high: float
    method: str
    prior: str

    @property
    def reversed(self) -> "Posterior":
        """Return the posterior of the opposite difference: the treatment becomes the control."""
        return Posterior(
            mean=-self.mean,
            probability_of_improvement=1 - self.probability_of_improvement,
            risk_of_treatment=self.risk_of_control,
            risk_of_control=self.risk_of_treatment,
            low=-self.high,
            high=-self.low,
            method=self.method,
            prior=self.prior,
        )


def effect_posterior(estimate: Estimate, alpha: float, prior: Prior | None = None) -> Posterior | None:
    """Return the posterior of an estimated difference; `None` if its error is unknown.

    Without a prior, the reference prior is used. The posterior is then a Student t with the estimate's degrees of
    freedom, or normal if these are infinite.
    """
    if estimate.mean is None or estimate.error is None:
        return None
    if prior is not None:
        return _normal(*_updated(estimate.mean, estimate.error, prior), alpha, _named(prior))
    if math.isinf(estimate.df):
        return _normal(estimate.mean, estimate.error, alpha, REFERENCE)
    return _student(estimate.mean, estimate.error, estimate.df, alpha)


def _named(prior: Prior) -> str:
    return f"normal prior of the difference, mean {prior.mean:g}, standard deviation {prior.sd:g}"


def _updated(mean: float, error: float, prior: Prior) -> tuple[float, float]:
    precision = 1 / error**2 + 1 / prior.sd**2
    return (mean / error**2 + prior.mean / prior.sd**2) / precision, math.sqrt(1 / precision)


def _normal(mean: float, sd: float, alpha: float, prior: str) -> Posterior:
    z = NormalDist()
    half = z.inv_cdf(1 - alpha / 2) * sd
    better = 0.5 * math.erfc(-mean / sd / math.sqrt(2))
    control = mean * better + sd * z.pdf(mean / sd)
    return Posterior(
        mean=mean,
        probability_of_improvement=better,
        risk_of_treatment=max(0.0, control - mean),
        risk_of_control=control,
        low=mean - half,
        high=mean + half,
        method="normal posterior",
        prior=prior,
    )


def _student(mean: float, scale: float, df: float, alpha: float) -> Posterior:
    from scipy.special import gammaln, stdtr, stdtrit

    half = float(stdtrit(df, 1 - alpha / 2)) * scale
    better = float(stdtr(df, mean / scale))
    control = None
    if df > 1:
        at = mean / scale
        log_density = float(gammaln((df + 1) / 2) - gammaln(df / 2)) - 0.5 * math.log(df * math.pi)
        density = math.exp(log_density - (df + 1) / 2 * math.log1p(at * at / df))
        control = mean * better + scale * density * (df + at * at) / (df - 1)
    return Posterior(
        mean=mean,
        probability_of_improvement=better,
        risk_of_treatment=None if control is None else max(0.0, control - mean),
        risk_of_control=control,
        low=mean - half,
        high=mean + half,
        method="Student t posterior",
        prior=REFERENCE,
    )
