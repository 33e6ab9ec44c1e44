"""Compare every treatment with the control by the method of the experiment, without deciding anything yet."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.interval import MeanTest
from orchestrator.experiments.domain.analysis import beta_binomial, mixtures, sequential
from orchestrator.experiments.domain.analysis.bayes import Posterior, effect_posterior
from orchestrator.experiments.domain.analysis.multiplicity import holm, holm_multipliers
from orchestrator.experiments.domain.analysis.samples import Sample, known
from orchestrator.experiments.domain.analysis.types import AnalysisSetup, Ends
from orchestrator.experiments.domain.words import Direction, Method

# From this number of clusters on, bootstrap-t and t agree, and the bootstrap would take long.
_ROBUST_UP_TO = 1_000
_NO_CAP = (
    f"the cap is not known before the control's first {sequential.CALIBRATION} clusters have values: until then there "
    "is no interval"
)


@dataclass(frozen=True)
class Compared:
    """The comparison of a treatment with the control, by the experiment's method. `interval` is that of treatment minus
    control, with the confidence level `level`.

    `low` and `high` are the bounds that decide about the treatment, signed so that a positive difference is an
    improvement. They are `None` if there are no bounds. `better` and `worse` say whether the method found a difference,
    corrected for the number of treatments.

    `robust` is another interval of the same difference, from the test by which runs are compared with their baselines
    (see `_mean_test`). `sequence` is an asymptotic confidence sequence, which is shown and decides nothing. `p` is
    corrected for the number of treatments, `raw_p` is not. `reason` says why there is no interval.
    """

    sample: Sample
    method: str
    level: float
    interval: Ends | None
    low: float | None = None
    high: float | None = None
    better: bool = False
    worse: bool = False
    robust: Ends | None = None
    sequence: Ends | None = None
    raw_p: float | None = None
    p: float | None = None
    posterior: Posterior | None = None
    reason: str | None = None


def compare(setup: AnalysisSetup, samples: Sequence[Sample]) -> list[Compared]:
    """Compare the treatment of each sample with the control. Return the comparisons in the order of `samples`."""
    if setup.is_bandit:
        reason = "the means of a bandit are biased, so their difference has no interval"
        level = 1 - setup.significance_level
        return [Compared(sample, "Thompson sampling", level, None, reason=reason) for sample in samples]
    if setup.method is Method.SEQUENTIAL:
        return [_sequential(setup, sample) for sample in samples]
    if setup.method is Method.BAYESIAN:
        return [_bayesian(setup, sample) for sample in samples]
    return _frequentist(setup, samples)


def _in_good_direction(ends: tuple[float, float], sample: Sample) -> tuple[float, float]:
    return ends if sample.metric.sign > 0 else (-ends[1], -ends[0])


def _sequential(setup: AnalysisSetup, sample: Sample) -> Compared:
    alpha = setup.significance_level / len(setup.treatments)
    ends = sample.bounds(alpha) if len(sample.pairs.weights) else None
    if ends is None:
        reason = sample.estimate.reason if not len(sample.pairs.weights) else _NO_CAP
        return Compared(sample, sequential.METHOD, 1 - alpha, None, reason=reason)
    low, high = _in_good_direction(ends, sample)
    return Compared(
        sample=sample,
        method=sequential.METHOD,
        level=1 - alpha,
        interval=(known(ends[0]), known(ends[1])),
        low=low,
        high=high,
        better=low > 0,
        worse=high < 0,
        sequence=_asymptotic(setup, sample, alpha),
    )


def _asymptotic(setup: AnalysisSetup, sample: Sample, alpha: float) -> Ends | None:
    estimate = sample.estimate
    if estimate.clusters < mixtures.SHOWN_FROM or estimate.mean is None or estimate.error is None:
        return None
    units = estimate.clusters if sample.paired else sum(len(arm) for arm in sample.units)
    planned = setup.tuned_for if sample.paired else 2 * setup.tuned_for
    return mixtures.asymptotic_sequence(estimate.mean, estimate.error, units, planned=planned, alpha=alpha)


def _bayesian(setup: AnalysisSetup, sample: Sample) -> Compared:
    alpha = setup.significance_level
    posterior = _posterior(setup, sample, alpha)
    if posterior is None:
        return Compared(sample, "posterior", 1 - alpha, None, reason=sample.estimate.reason)
    lower_is_better = sample.metric.direction is Direction.LOWER_IS_BETTER
    raw = posterior.reversed if lower_is_better else posterior
    limit = alpha / len(setup.treatments) / 2
    return Compared(
        sample=sample,
        method=posterior.method,
        level=1 - alpha,
        interval=(raw.low, raw.high),
        low=posterior.low,
        high=posterior.high,
        better=posterior.probability_of_improvement > 1 - limit,
        worse=posterior.probability_of_improvement < limit,
        posterior=posterior,
    )


def _posterior(setup: AnalysisSetup, sample: Sample, alpha: float) -> Posterior | None:
    """Return the posterior of treatment minus control, reversed if less is better, so that a positive difference is an
    improvement. Its credible interval has the probability 1 - `alpha`. Return `None` if the error of the difference is
    unknown."""
    if setup.prior is None and sample.all_binary and sample.estimate.clusters:
        found = _of_passes(sample, alpha)
    else:
        of_effect = effect_posterior(sample.estimate, alpha, setup.prior)
        if of_effect is None:
            return None
        found = of_effect
    return found.reversed if sample.metric.direction is Direction.LOWER_IS_BETTER else found


def _of_passes(sample: Sample, alpha: float) -> Posterior:
    control, treatment = sample.units
    if sample.paired:
        gained, lost = int((treatment > control).sum()), int((treatment < control).sum())
        return beta_binomial.paired_posterior(gained, lost, len(control), alpha)
    arms = [beta_binomial.posterior(int(arm.sum()), len(arm) - int(arm.sum())) for arm in (control, treatment)]
    return beta_binomial.split_posterior(arms[0], arms[1], alpha)


def _frequentist(setup: AnalysisSetup, samples: Sequence[Sample]) -> list[Compared]:
    alpha = setup.significance_level
    raw = [sample.estimate.p_two_sided() for sample in samples]
    # A treatment without a p value still counts as a test.
    filled = [1.0 if p is None else p for p in raw]
    adjusted, multipliers = holm(filled), holm_multipliers(filled)
    found = []
    for sample, p, corrected, times in zip(samples, raw, adjusted, multipliers, strict=True):
        estimate, test = sample.estimate, _mean_test(sample)
        robust = test.interval(alpha_low=alpha / 2, alpha_high=alpha / 2) if test else None
        ends, method = estimate.interval(alpha), estimate.method
        if robust is not None and math.isfinite(robust.low) and math.isfinite(robust.high):
            ends, method = (robust.low, robust.high), robust.method
        low, high = _in_good_direction(ends, sample) if ends else (None, None)
        sure = p is not None and corrected <= alpha and (test is None or _excludes_zero(test, alpha / times))
        favourable = estimate.mean is not None and estimate.mean * sample.metric.sign > 0
        found.append(
            Compared(
                sample=sample,
                method=method,
                level=1 - alpha,
                interval=ends,
                low=low,
                high=high,
                better=sure and favourable,
                worse=sure and not favourable,
                robust=(known(robust.low), known(robust.high)) if robust else None,
                raw_p=p,
                p=None if p is None else corrected,
                reason=estimate.reason,
            )
        )
    return found


def _excludes_zero(test: MeanTest, alpha: float) -> bool:
    return test.low(alpha / 2)[0] > 0 or test.high(alpha / 2)[0] < 0


def _mean_test(sample: Sample) -> MeanTest | None:
    """Return the test of the mean difference between treatment and control. It is the test by which runs are compared
    with their baselines. Two methods compute each bound, and the wider bound counts (see
    `comparison/domain/interval.py`).

    Return `None` in a split design, without pairs, and for more than `_ROBUST_UP_TO` pairs. With so many, both methods
    have nearly the same bounds.
    """
    pairs = sample.pairs if sample.paired else None
    if pairs is None or not 0 < len(pairs.weights) <= _ROBUST_UP_TO:
        return None
    bounds = sample.metric.bounds
    weights = pairs.control if bounds is None else pairs.weights
    sums = ClusterSums.tally(zip(pairs.differences.tolist(), weights.tolist(), [1] * len(weights), strict=True))
    if not sums.counted:
        return None
    span = None if bounds is None else bounds[1] - bounds[0]
    return MeanTest(sums, bounds=None if span is None else (-span, span))
