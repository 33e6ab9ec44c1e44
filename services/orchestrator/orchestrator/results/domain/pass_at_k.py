"""Compute pass@k and pass^k: the probability that at least one of k tries at a case passes, and that all of them do.

Let c of n tries pass. Then pass@k is `1 - C(n-c, k)/C(n, k)` (Chen et al. 2021, arXiv:2107.03374). Likewise pass^k is
`C(c, k)/C(n, k)` (Yao et al. 2024, arXiv:2406.12045). Both are unbiased; with k above n they are undefined. A target's
value is the mean over its cases, never an estimate from the summed counts of all cases.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from orchestrator.results.domain.intervals import Clusters, effective_results, rate_interval

Tries = tuple[int, int]
"""The tries of one case: the number with a verdict, and the number that passed."""

_SHOWN_ONE_BY_ONE = 10


@dataclass(frozen=True)
class EqualClusters:
    """Clusters with the same numbers of tries. A cluster is a single case, or several cases that depend on each other,
    such as the turns of a conversation.

    `count` is the number of these clusters. `cases` describes a single one: for each of its cases, the number of tries
    that have a verdict, and the number of those that passed.
    """

    cases: tuple[Tries, ...]
    count: int


@dataclass(frozen=True)
class PassAtK:
    """pass@k and pass^k for one k, as means over the `cases` with at least `k` tries. The 95 % intervals are null with
    fewer than two clusters."""

    k: int
    cases: int
    pass_at_k: float
    pass_at_k_interval: tuple[float, float] | None
    pass_hat_k: float
    pass_hat_k_interval: tuple[float, float] | None


def pass_at_k(tries: int, passed: int, k: int) -> float | None:
    """Return the probability that at least one of `k` tries passes, estimated from `tries` of which `passed` passed.
    Return `None` if `k` is greater than `tries`.

    >>> pass_at_k(4, 3, 2), pass_at_k(5, 2, 10)
    (1.0, None)
    """
    return None if k > tries else 1 - comb(tries - passed, k) / comb(tries, k)


def pass_hat_k(tries: int, passed: int, k: int) -> float | None:
    """Return the probability that all of `k` tries pass, estimated from `tries` of which `passed` passed. Return `None`
    if `k` is greater than `tries`.

    >>> pass_hat_k(4, 3, 2)
    0.5
    """
    return None if k > tries else comb(passed, k) / comb(tries, k)


def passes(clusters: Sequence[EqualClusters], *, epochs: int) -> list[PassAtK]:
    """Return pass@k and pass^k for each `k` of `ks(epochs)` for which at least one case has enough tries."""
    figures = (_at(clusters, k) for k in ks(epochs))
    return [each for each in figures if each is not None]


def ks(epochs: int) -> list[int]:
    """Return the values of k to show: each up to ten, then 20, 50, 100 … and the greatest possible.

    >>> ks(3), ks(25)
    ([1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 25])
    """
    steps = (factor * 10**power for power in range(1, len(str(epochs)) + 1) for factor in (2, 5, 10))
    return [*range(1, min(epochs, _SHOWN_ONE_BY_ONE) + 1), *(k for k in steps if k < epochs), *_last(epochs)]


def _last(epochs: int) -> list[int]:
    return [epochs] if epochs > _SHOWN_ONE_BY_ONE else []


def _at(clusters: Sequence[EqualClusters], k: int) -> PassAtK | None:
    tries_in_all = 0
    some: list[tuple[list[float], int]] = []
    every: list[tuple[list[float], int]] = []
    for cluster in clusters:
        cases = [(tries, passed) for tries, passed in cluster.cases if tries >= k]
        tries_in_all += sum(tries for tries, _ in cases) * cluster.count
        some.append(([pass_at_k(tries, passed, k) or 0.0 for tries, passed in cases], cluster.count))
        every.append(([pass_hat_k(tries, passed, k) or 0.0 for tries, passed in cases], cluster.count))
    at, hat = _sums(some), _sums(every)
    if not at.n:
        return None
    return PassAtK(
        k=k,
        cases=at.n,
        pass_at_k=at.x / at.n,
        pass_at_k_interval=_interval(at, tries_in_all),
        pass_hat_k=hat.x / hat.n,
        pass_hat_k_interval=_interval(hat, tries_in_all),
    )


def _interval(sums: Clusters, tries: int) -> tuple[float, float] | None:
    """Return Wilson's interval over the effective number of tries; `None` with fewer than two clusters. The interval of
    pass@1 therefore equals that of the pass rate over the same tries."""
    if sums.count < 2:
        return None
    return rate_interval(sums.x / sums.n, effective_results(sums, tries))


def _sums(values: Sequence[tuple[list[float], int]]) -> Clusters:
    held = [(sum(each), len(each), count) for each, count in values if each]
    return Clusters(
        count=sum(count for _, _, count in held),
        n=sum(n * count for _, n, count in held),
        x=sum(x * count for x, _, count in held),
        xx=sum(x * x * count for x, _, count in held),
        xn=sum(x * n * count for x, n, count in held),
        nn=sum(n * n * count for _, n, count in held),
    )
