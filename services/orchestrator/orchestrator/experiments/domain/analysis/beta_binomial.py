"""Compute the posterior of pass rates.

The pass rates A and B of two independent samples have beta posteriors. P(B > A), the risks and the interval of B - A
are integrals over the quantiles of a beta distribution. They are computed by Gauss-Legendre quadrature. Miller,
"Formulas for Bayesian A/B testing", has the closed form for whole-number parameters.

Paired passes are not independent. So only the discordant cases are compared: those that one variant passes and the
other fails. Two shares have beta posteriors: the share of discordant cases among all cases, and the share of discordant
cases that the treatment wins. The two shares are independent if the outcomes of a case have a Dirichlet prior
(Jeffreys: 1/2 each).
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from orchestrator.experiments.domain.analysis.bayes import Posterior
from orchestrator.experiments.domain.analysis.quadrature import quadrature

if TYPE_CHECKING:
    from orchestrator.experiments.domain.analysis.columns import Floats

UNIFORM = (1.0, 1.0)
_PRECISION = 1e-9

Beta = tuple[float, float]
"""The two parameters of a beta distribution."""


def posterior(passed: int, failed: int, prior: tuple[float, float] = UNIFORM) -> Beta:
    return passed + prior[0], failed + prior[1]


def split_posterior(a: Beta, b: Beta, alpha: float, *, prior: str = "beta prior (1, 1) of each pass rate") -> Posterior:
    """Return the posterior of pass rate B minus pass rate A, from their independent posteriors `a` and `b`. `prior`
    describes the prior of both in words, for the result."""
    from scipy.special import betainc, betaincinv

    nodes, weights = quadrature()
    of_a, of_b = betaincinv(*a, nodes), betaincinv(*b, nodes)

    def below(difference: float) -> float:
        return float(weights @ betainc(*b, (of_a + difference).clip(0, 1)))

    return Posterior(
        mean=b[0] / sum(b) - a[0] / sum(a),
        probability_of_improvement=float(weights @ betainc(*a, of_b)),
        risk_of_treatment=float(weights @ _excess(a, of_b)),
        risk_of_control=float(weights @ _excess(b, of_a)),
        low=_quantile(below, alpha / 2),
        high=_quantile(below, 1 - alpha / 2),
        method="beta-binomial posterior",
        prior=prior,
    )


def paired_posterior(gained: int, lost: int, pairs: int, alpha: float) -> Posterior:
    """Return the posterior of the difference of two pass rates over the same `pairs` cases.

    `gained` counts the cases that only the treatment passes, `lost` the cases that only the control passes.
    """
    from scipy.special import betainc, betaincinv

    wins = (gained + 0.5, lost + 0.5)
    discordant = (gained + lost + 1.0, pairs - gained - lost + 0.5)
    nodes, weights = quadrature()
    shares = betaincinv(*discordant, nodes)

    def below(difference: float) -> float:
        return float(weights @ betainc(*wins, ((difference / shares + 1) / 2).clip(0, 1)))

    share = discordant[0] / sum(discordant)
    half = _quadrature_point(0.5)
    return Posterior(
        mean=share * (2 * wins[0] / sum(wins) - 1),
        probability_of_improvement=1 - float(betainc(*wins, 0.5)),
        risk_of_treatment=share * 2 * float(_deficit(wins, half)[0]),
        risk_of_control=share * 2 * float(_excess(wins, half)[0]),
        low=_quantile(below, alpha / 2),
        high=_quantile(below, 1 - alpha / 2),
        method="posterior of the discordant cases",
        prior="Dirichlet prior (1/2 each) of the cells gained, lost and equal",
    )


def probabilities_best(arms: Sequence[Beta]) -> list[float]:
    """Return, for each variant, the probability that its pass rate is the highest. `arms` has the beta posterior of
    each variant's pass rate."""
    from scipy.special import betainc, betaincinv

    nodes, weights = quadrature()
    best = []
    for at, arm in enumerate(arms):
        rates = betaincinv(*arm, nodes)
        density = weights.copy()
        for other in (*arms[:at], *arms[at + 1 :]):
            density *= betainc(*other, rates)
        best.append(float(density.sum()))
    return best


def expected_losses(arms: Sequence[Beta]) -> list[float]:
    """Return the expected loss of choosing each variant: E[highest pass rate] - E[its pass rate]. `arms` has the beta
    posterior of each variant's pass rate."""
    from scipy.special import betainc

    # The largest rate has the product of the distribution functions. Split the range where the steepest one rises.
    edges = _edges(arms)
    nodes, weights = quadrature()
    highest = 0.0
    for low, high in pairwise(edges):
        product = 1.0
        for arm in arms:
            product = product * betainc(*arm, low + (high - low) * nodes)
        highest += (high - low) * (1 - float(weights @ product))
    return [highest - arm[0] / sum(arm) for arm in arms]


def _edges(arms: Sequence[Beta]) -> list[float]:
    from scipy.special import betaincinv

    inner = {float(betaincinv(*arm, share)) for arm in arms for share in (1e-9, 1 - 1e-9)}
    return sorted({0.0, 1.0, *inner})


def _excess(of: Beta, over: "Floats") -> "Floats":
    """Return E[max(0, X - x)] for each x in `over`. X has the beta distribution with the parameters `of`."""
    from scipy.special import betainc

    a, b = of
    excess: Floats = a / (a + b) * (1 - betainc(a + 1, b, over)) - over * (1 - betainc(a, b, over))
    return excess


def _deficit(of: Beta, under: "Floats") -> "Floats":
    """Return E[max(0, x - X)] for each x in `under`. X has the beta distribution with the parameters `of`."""
    from scipy.special import betainc

    a, b = of
    deficit: Floats = under * betainc(a, b, under) - a / (a + b) * betainc(a + 1, b, under)
    return deficit


def _quantile(below: Callable[[float], float], share: float) -> float:
    from scipy.optimize import brentq

    return float(brentq(lambda difference: below(difference) - share, -1.0, 1.0, xtol=_PRECISION))


def _quadrature_point(at: float) -> "Floats":
    import numpy as np

    return np.array([at])
