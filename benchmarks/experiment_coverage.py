"""Simulate the coverage of the intervals of experiments, and the regret of a bandit. A bandit is an experiment that
gives more units to the variants that do better.

The orchestrator's own functions compute everything. Random numbers have fixed seeds.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.experiment_rows import ALPHA, SEED, Count, Floats, chunks, normal, skewed, spread
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.interval import mean_interval
from orchestrator.experiments.domain.analysis import beta_binomial, estimates, guardrails, mixtures, sequential
from orchestrator.experiments.domain.analysis.allocation import allocate, inverse_propensity_means
from orchestrator.experiments.domain.analysis.columns import Pairs
from orchestrator.experiments.domain.analysis.describing import wilson
from orchestrator.experiments.domain.analysis.sequential import Sequence as ConfidenceSequence
from orchestrator.experiments.domain.analysis.types import AnalysisSetup, Clusters, Metric, Variant, VariantData
from orchestrator.experiments.domain.words import Design, Method

_NOISE = 1e-9


def coverages(replications: int, *, workers: int = 1) -> list[Count]:
    """Count how often each claim in `_CLAIMS` holds. Most claims are that a 95 % interval includes the value with which
    the data were drawn. The last one is that a guardrail is not passed if the true loss equals its margin. Each variant
    has 100 clusters, unless the claim says otherwise."""
    hits: Counter[str] = Counter()
    for counted in spread(_covered, chunks(replications), workers):
        hits.update(counted)
    return [
        Count(f"95 % interval holds the truth: {name}", hits[name], replications, least=least)
        for name, least in _CLAIMS
    ]


# A t interval is exact for normal data only. With 100 clusters of another shape it may miss 1 point of its level. With
# 100 cases and a rate of .9, the exact coverage of Wilson's interval is .936.
_CLAIMS = (
    ("paired t, normal", 0.95),
    ("wider one of bootstrap-t and t, skewed", 0.95),
    ("Welch, beta (2, .5), 100 and 60 units", 0.94),
    ("paired t of the latency ratio, lognormal", 0.94),
    ("Wilson, pass rate .9", 0.935),
    ("beta-binomial posterior, .7 against .8", 0.94),
    ("discordant posterior, +.05", 0.94),
    ("betting sequence of the difference, skewed, after all looks", 0.95),
    ("betting sequence of a mean, beta (2, .5), after all looks", 0.95),
    ("pass-rate sequence, .9, after all looks", 0.95),
    ("guardrail passes, truth at the margin: not passed", 0.95),
)
_CLUSTERS = 100


def _covered(task: tuple[int, int]) -> Counter[str]:
    seed, count = task
    random = np.random.default_rng(seed)
    hits: Counter[str] = Counter()
    for _ in range(count):
        for (name, _), held in zip(_CLAIMS, _held(random), strict=True):
            hits[name] += held
    return hits


def _held(random: np.random.Generator) -> Iterable[bool]:
    n, ones = _CLUSTERS, np.ones(_CLUSTERS)
    yield _holds(estimates.of_mean(normal(0.1)(random, n), ones).interval(ALPHA), 0.1)
    left = skewed(random, n)
    yield _holds(_wider_ends(left), 0.0)
    yield _holds(estimates.welch(random.beta(2, 0.5, n), random.beta(2, 0.5, 60)).interval(ALPHA), 0.0)
    base = np.exp(random.normal(0, 0.5, n))
    slower = base * np.exp(random.normal(0, 0.3, n)) * 1.1 / math.exp(0.045)
    yield _holds(estimates.paired_share(Pairs(base, slower, ones)).interval(ALPHA), 0.1)
    yield _holds(wilson(int(random.binomial(n, 0.9)), n, ALPHA), 0.9)
    yield _holds(_split_ends(int(random.binomial(n, 0.7)), int(random.binomial(n, 0.8))), 0.1)
    gained, lost, _ = random.multinomial(n, [0.125, 0.075, 0.8])
    yield _holds(_paired_ends(int(gained), int(lost)), 0.05)
    found = sequential.bounded_mean(left, ones, bounds=(-1.0, 1.0), planned=n, largest=1.0)
    yield not _excluded(found, 0.0)
    found = sequential.bounded_mean(random.beta(2, 0.5, n), ones, bounds=(0.0, 1.0), planned=n, largest=1.0)
    yield not _excluded(found, 0.8)
    passed = np.cumsum(random.random(n) < 0.9)
    yield all(_possible(int(passed[at]), at + 1) for at in range(n))
    worse = estimates.of_mean(normal(-0.05)(random, n), ones)
    yield not guardrails.by_t(worse, sign=1, margin=0.05, alpha=ALPHA).passed


def _holds(ends: tuple[float, float] | None, truth: float) -> bool:
    return ends is None or ends[0] - _NOISE <= truth <= ends[1] + _NOISE


def _excluded(found: ConfidenceSequence, truth: float) -> bool:
    return any(found.excluded_after(truth, ALPHA / 2, from_below=below) is not None for below in (True, False))


_known_ends: dict[tuple[str, int, int], tuple[float, float]] = {}


def _kept(kind: str, first: int, second: int, compute: Callable[[], tuple[float, float]]) -> tuple[float, float]:
    key = kind, first, second
    if key not in _known_ends:
        _known_ends[key] = compute()
    return _known_ends[key]


def _split_ends(a: int, b: int) -> tuple[float, float]:
    def compute() -> tuple[float, float]:
        arms = [beta_binomial.posterior(passed, _CLUSTERS - passed) for passed in (a, b)]
        found = beta_binomial.split_posterior(arms[0], arms[1], ALPHA)
        return found.low, found.high

    return _kept("split", a, b, compute)


def _wider_ends(differences: Floats) -> tuple[float, float]:
    def compute() -> tuple[float, float]:
        found = mean_interval(ClusterSums.of(differences.tolist()), alpha_low=ALPHA / 2, alpha_high=ALPHA / 2)
        return found.low, found.high

    return _kept("wider", int((differences < 0).sum()), len(differences), compute)


def _paired_ends(gained: int, lost: int) -> tuple[float, float]:
    def compute() -> tuple[float, float]:
        found = beta_binomial.paired_posterior(gained, lost, _CLUSTERS, ALPHA)
        return found.low, found.high

    return _kept("paired", gained, lost, compute)


def _possible(passed: int, n: int) -> bool:
    low, high = _kept("sequence", passed, n, lambda: mixtures.pass_rate_sequence(passed, n, ALPHA))
    return low - _NOISE <= 0.9 <= high + _NOISE


# Bandit.


@dataclass(frozen=True)
class Bandit:
    """The results of simulated bandits. The regret is the number of passes per unit that were lost because not every
    unit got the best variant. `uniform_regret` is the regret of an equal allocation. `best_share` is the share of units
    that got the best variant.

    Two fields are average errors of estimates of the worst variant's mean. `bias_of_mean` is that of the plain mean.
    `bias_of_inverse_propensity_mean` is that of a mean in which each unit has the weight 1 / (the probability with
    which it got its variant).
    """

    regret: float
    uniform_regret: float
    bias_of_mean: float
    bias_of_inverse_propensity_mean: float
    best_share: float


_RATES = (0.7, 0.6, 0.55)


def bandit(replications: int, *, rounds: int = 20, units: int = 30) -> Bandit:
    """Simulate bandits over three variants with known pass rates. The product's own function allocates the units after
    each round."""
    variants = [Variant(str(at), str(at), at == 0, 1 / 3) for at in range(len(_RATES))]
    metric = Metric("pass_rate", binary=True)
    design = AnalysisSetup(Method.BAYESIAN, Design.SPLIT, metric, variants, planned=units * rounds, is_bandit=True)
    random = np.random.default_rng(SEED)
    lost, best, biases, corrected = 0.0, 0.0, [], []
    for _ in range(replications):
        values: list[list[float]] = [[] for _ in _RATES]
        chances: list[list[float]] = [[] for _ in _RATES]
        shares = [1 / len(_RATES)] * len(_RATES)
        for _ in range(rounds):
            for arm in random.choice(len(_RATES), units, p=shares):
                values[arm].append(float(random.random() < _RATES[arm]))
                chances[arm].append(shares[arm])
            data = _bandit_data(values, chances)
            shares = list(allocate(design, data).values())
        lost += sum((_RATES[0] - rate) * len(each) for rate, each in zip(_RATES, values, strict=True))
        best += len(values[0])
        biases.append(float(np.mean(values[2])) - _RATES[2])
        corrected.append((inverse_propensity_means(data)["2"] or 0.0) - _RATES[2])
    total = replications * rounds * units
    return Bandit(
        regret=lost / total,
        uniform_regret=_RATES[0] - sum(_RATES) / len(_RATES),
        bias_of_mean=float(np.mean(biases)),
        bias_of_inverse_propensity_mean=float(np.mean(corrected)),
        best_share=best / total,
    )


def _bandit_data(values: Sequence[Sequence[float]], chances: Sequence[Sequence[float]]) -> list[VariantData]:
    return [
        VariantData(str(at), Clusters(each, [1.0] * len(each)), len(each), len(each), propensities=chance)
        for at, (each, chance) in enumerate(zip(values, chances, strict=True))
    ]
