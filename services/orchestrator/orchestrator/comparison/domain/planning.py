"""Plan a gate before any call is paid for. Compute the probability of the verdict *fine* (not worse than the baseline
by the margin), and the number of clusters or the margin that makes it likely enough. The gate is a one-sided
non-inferiority test on paired differences."""

from orchestrator.comparison.domain.power import fewest, probability_above

ALPHA = 0.05
LEAST_POWER = 0.8
WORST_VARIANCE = 0.25
"""The variance that is assumed for the difference of one case if no pilot run has measured it."""


def probability_fine(
    *,
    variance: float = WORST_VARIANCE,
    clusters: int,
    margin: float,
    effect: float = 0.0,
    pairs: int = 1,
    bounded: bool = True,
) -> float:
    """Return the probability that a gate gives the verdict *fine* to a candidate with the true mean difference
    `effect`.

    An unchanged model has the `effect` 0. `variance` comes from a pilot run (`ClusterSums.variance`). `pairs` is the
    number of columns that the gate compares with their baselines. All of them have to be fine, so their probabilities
    are multiplied, which is conservative. `bounded` is true if the differences are those of scores or verdicts, from -1
    to 1. Raises `ValueError` for a margin that is not above 0.
    """
    if not margin > 0:
        raise ValueError("a margin is above 0")
    of_one_pair = probability_above(
        variance=variance, clusters=clusters, mean=effect, distance=margin + effect, alpha=ALPHA, bounded=bounded
    )
    return of_one_pair**pairs


def needed_clusters(
    *,
    margin: float,
    variance: float = WORST_VARIANCE,
    effect: float = 0.0,
    power: float = LEAST_POWER,
    pairs: int = 1,
    bounded: bool = True,
) -> int | None:
    """Return the smallest number of clusters with which the gate is *fine* with probability `power`.

    Return `None` if no number suffices: because the candidate is worse by at least the margin, or because 67 million
    clusters are too few. `variance` is that of a cluster's difference, `effect` the true mean difference of the
    candidate, and `pairs` the number of columns that have to be fine. `bounded` is true for differences of scores or
    verdicts.
    """

    if margin + effect <= 0:
        return None

    def enough(clusters: int) -> bool:
        probability = probability_fine(
            variance=variance, clusters=clusters, margin=margin, effect=effect, pairs=pairs, bounded=bounded
        )
        return probability >= power

    return fewest(enough)


def needed_margin(
    *,
    clusters: int,
    variance: float = WORST_VARIANCE,
    effect: float = 0.0,
    power: float = LEAST_POWER,
    pairs: int = 1,
    bounded: bool = True,
) -> float | None:
    """Return the smallest margin at which a gate on `clusters` clusters gives the verdict *fine* with at least the
    probability `power`. The margin is rounded up to 0.001. Return `None` if no margin below 1 suffices. `variance` is
    that of a cluster's difference, `effect` the true mean difference of the candidate, and `pairs` the number of
    columns that have to be fine. `bounded` is true for differences of scores or verdicts."""
    steps = 1_000

    def enough(step: int) -> bool:
        probability = probability_fine(
            variance=variance, clusters=clusters, margin=step / steps, effect=effect, pairs=pairs, bounded=bounded
        )
        return probability >= power

    if not enough(steps - 1):
        return None
    least, most = 0, steps - 1
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if enough(middle) else (middle, most)
    return most / steps
