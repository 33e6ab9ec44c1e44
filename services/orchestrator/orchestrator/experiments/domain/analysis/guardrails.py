"""Test guardrails by one-sided non-inferiority: a treatment must not be worse than the control by the margin or more.

Each guardrail is tested by itself, because all of them have to hold (ICH E9; Berger, "Multiparameter hypothesis testing
and acceptance sampling", Technometrics 24, 1982). The margin of cost and latency is a share of the control's mean.
"""

from dataclasses import dataclass

from orchestrator.experiments.domain.analysis.estimates import Estimate


@dataclass(frozen=True)
class NonInferiority:
    """The result of a non-inferiority test. `passed` is true if the treatment is certainly not worse by the margin.
    `lost` is true if it is certainly worse by the margin. `low` and `high` bound the effect, signed so that a positive
    effect is an improvement.

    `p_passed` is the p value of "worse by at least the margin", `p_lost` that of "worse by at most the margin". All
    fields but `passed` and `lost` are `None` if the spread is unknown; then the guardrail neither passes nor is lost.
    """

    passed: bool
    lost: bool
    low: float | None = None
    high: float | None = None
    p_passed: float | None = None
    p_lost: float | None = None


def by_t(estimate: Estimate, *, sign: int, margin: float, alpha: float) -> NonInferiority:
    """Test a guardrail by the t interval of its estimated difference, treatment minus control.

    The result is `passed` (not worse by the margin), `lost` (worse by the margin), or neither. Each of the two claims
    is wrong with probability at most `alpha`. `sign` is 1 if more is better, and -1 if less is better.
    """
    good = estimate if sign > 0 else estimate.reversed
    ends = good.interval(2 * alpha)
    if ends is None:
        return NonInferiority(passed=False, lost=False)
    return NonInferiority(
        passed=ends[0] > -margin,
        lost=ends[1] < -margin,
        low=ends[0],
        high=ends[1],
        p_passed=good.p_greater(-margin),
        p_lost=good.reversed.p_greater(margin),
    )


def by_bounds(low: float, high: float, *, sign: int, margin: float) -> NonInferiority:
    """Test a guardrail by the bounds `low` and `high` of a confidence sequence of treatment minus control.

    `sign` is 1 if more is better, and -1 if less is better. The result has no p values.
    """
    worst, best = (low, high) if sign > 0 else (-high, -low)
    return NonInferiority(passed=worst > -margin, lost=best < -margin, low=worst, high=best)
