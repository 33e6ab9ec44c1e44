"""Simulate experiments with a known effect by the orchestrator's own functions, and count errors, coverage and savings.

Random numbers have fixed seeds. If the product makes a claim about the probability of a result, the `Count` of that
result has the claim. The claim is refuted if a 99 % binomial bound excludes it.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

from orchestrator.experiments.domain.analysis import estimates, sequential
from orchestrator.experiments.domain.analysis.columns import Pairs
from orchestrator.experiments.domain.analysis.estimates import Estimate
from orchestrator.experiments.domain.analysis.planning import needed_clusters
from orchestrator.experiments.domain.analysis.sequential import Sequence as ConfidenceSequence
from orchestrator.experiments.domain.analysis.types import AnalysisSetup, Metric, Variant
from orchestrator.experiments.domain.words import Design, Method

Floats = NDArray[np.float64]
Task = TypeVar("Task")
Found = TypeVar("Found")
Draw = Callable[[np.random.Generator], Pairs]
SEED = 20_261_127
ALPHA = 0.05
LOOKS = 1_000
EFFECT = 0.05
_CHUNK = 250
_BOUND = 0.01
_NOISE = 1e-9


@dataclass(frozen=True)
class Count:
    """A result of simulations (`name`) that occurred in `hits` of `replications`. The product claims that it has a
    probability of at most `most`, or of at least `least`. If both are `None`, nothing is claimed."""

    name: str
    hits: int
    replications: int
    most: float | None = None
    least: float | None = None

    @property
    def share(self) -> float:
        return self.hits / self.replications

    @property
    def refuted(self) -> bool:
        """Return whether a 99 % binomial bound (Clopper and Pearson) excludes the claimed probability, `most` or
        `least`."""
        n, hits = self.replications, self.hits
        if self.most is not None and hits and float(beta.ppf(_BOUND, hits, n - hits + 1)) > self.most:
            return True
        return self.least is not None and hits < n and float(beta.ppf(1 - _BOUND, hits + 1, n - hits)) < self.least


@dataclass(frozen=True)
class Null:
    """A simulated experiment whose variants do not differ. If `relative`, the metric is a latency, compared by
    ratio. `largest` is the largest possible number of cases in a cluster."""

    name: str
    draw: Draw
    relative: bool = False
    largest: float = 1.0


def paired(difference: Callable[[np.random.Generator, int], Floats], n: int = LOOKS) -> Draw:
    """Return a function that draws `n` paired differences, each a cluster of its own. `difference` draws the given
    number of them."""

    def draw(random: np.random.Generator) -> Pairs:
        return Pairs(control=np.zeros(n), treatment=difference(random, n), weights=np.ones(n))

    return draw


def normal(mean: float = 0.0, sd: float = 0.3) -> Callable[[np.random.Generator, int], Floats]:
    return lambda random, n: np.clip(random.normal(mean, sd, n), -1, 1)


def skewed(random: np.random.Generator, n: int) -> Floats:
    return np.where(random.random(n) < 0.1, -0.9, 0.1)


def passes(mean: float = 0.0, discordant: float = 0.2) -> Callable[[np.random.Generator, int], Floats]:
    """Return a function that draws paired differences of passes: 1 (gained), -1 (lost) or 0 (equal). `mean` is their
    expected mean, and `discordant` the share that is not 0.
    """
    shares = (discordant - mean) / 2, 1 - discordant, (discordant + mean) / 2
    return lambda random, n: random.choice([-1.0, 0.0, 1.0], n, p=shares)


def documents(random: np.random.Generator) -> Pairs:
    """Draw the differences between two variants for documents of 1 to 10 questions each. The differences within a
    document have an intraclass correlation of .3."""
    sizes = random.integers(1, 11, LOOKS)
    shared = np.repeat(random.normal(0, 0.3 * math.sqrt(0.3), LOOKS), sizes)
    values = np.clip(shared + random.normal(0, 0.3 * math.sqrt(0.7), int(sizes.sum())), -1, 1)
    sums = np.add.reduceat(values, np.concatenate(([0], np.cumsum(sizes)[:-1])))
    return Pairs(control=np.zeros(LOOKS), treatment=sums, weights=sizes.astype(np.float64))


def split(value: Callable[[np.random.Generator, int], Floats], shares: tuple[float, float]) -> Draw:
    """Return a function that draws units with values of one distribution, and assigns each to one of two variants.
    `shares` are the probabilities of the variants. The units of the two variants then form pairs, in the order of their
    arrival (see `sequential.blocks`)."""

    def draw(random: np.random.Generator) -> Pairs:
        first = random.random(2 * LOOKS) < shares[0]
        values = value(random, 2 * LOOKS)
        return sequential.blocks(values[first], values[~first], shares=shares)

    return draw


def latencies(random: np.random.Generator) -> Pairs:
    """Draw pairs of latencies, of control and treatment. They are lognormal around one second, and 2 % of them are 20
    times as long."""
    base = np.exp(random.normal(0, 0.5, LOOKS))
    slow = np.where(random.random((2, LOOKS)) < 0.02, 20.0, 1.0)
    found = 1_000 * base * np.exp(random.normal(0, 0.3, (2, LOOKS))) * slow
    return Pairs(control=found[0], treatment=found[1], weights=np.ones(LOOKS))


def _rate(random: np.random.Generator, n: int) -> Floats:
    return random.binomial(1, 0.7, n).astype(np.float64)


NULLS = (
    Null("symmetric: normal, sd .3", paired(normal())),
    Null("skewed: +.1 in 90 %, -.9 in 10 %", paired(skewed)),
    Null("binary: gained 10 %, lost 10 %", paired(passes())),
    Null("clustered: documents of 1 to 10 questions, ICC .3", documents, largest=10.0),
    Null("split .5 / .5: pass rates .7", split(_rate, (0.5, 0.5))),
    Null("split .75 / .25: scores, beta (2, .5)", split(lambda random, n: random.beta(2, 0.5, n), (0.75, 0.25))),
    Null("latency: lognormal, 2 % outliers", latencies, relative=True),
)


def sequence_of(pairs: Pairs, *, planned: int, relative: bool = False, largest: float = 1.0) -> ConfidenceSequence:
    if relative:
        ratio, _ = sequential.capped_ratio(pairs, cap=None, planned=planned, largest=largest)
        assert ratio is not None
        return ratio
    return sequential.bounded_mean(
        pairs.differences, pairs.weights, bounds=(-1.0, 1.0), planned=planned, largest=largest
    )


# Errors.


def false_positives(null: Null, replications: int, *, workers: int = 1) -> list[Count]:
    """Count how often the sequential method finds a difference that does not exist. It may do so at any of 1,000 looks,
    each of which analyses the data that have arrived so far."""
    better, worse = np.sum(spread(_looked, [(null.name, *chunk) for chunk in chunks(replications)], workers), axis=0)
    name = f"sequential, 1,000 looks, no effect, {null.name}"
    return [
        Count(f"{name}: better", int(better), replications, most=ALPHA / 2),
        Count(f"{name}: worse", int(worse), replications, most=ALPHA / 2),
    ]


def _looked(task: tuple[str, int, int]) -> tuple[int, int]:
    name, seed, count = task
    null = next(each for each in NULLS if each.name == name)
    random, truth = np.random.default_rng(seed), 1.0 if null.relative else 0.0
    better = worse = 0
    for _ in range(count):
        found = sequence_of(null.draw(random), planned=LOOKS, relative=null.relative, largest=null.largest)
        better += found.excluded_after(truth, ALPHA / 2, from_below=True) is not None
        worse += found.excluded_after(truth, ALPHA / 2, from_below=False) is not None
    return better, worse


def peeking(replications: int) -> list[Count]:
    """Simulate experiments in which the variants do not differ, and look at each 100 times while its data grow. Count
    the experiments in which a t test finds a difference at any look.

    The t test is valid for one look only. The Bayesian method with the reference prior decides as this t test does.
    """
    found = []
    for null in NULLS[:3]:
        random, hits = np.random.default_rng(SEED), 0
        for _ in range(replications):
            differences = null.draw(random).differences
            looks = (_p(estimates.of_mean(differences[:n], np.ones(n))) for n in range(10, LOOKS + 1, 10))
            hits += any(p <= ALPHA for p in looks)
        found.append(Count(f"WARNING, paired t looked at 100 times, no effect, {null.name}: found", hits, replications))
    return found


def _p(estimate: Estimate) -> float:
    p = estimate.p_two_sided()
    return 1.0 if p is None else p


# Savings.


@dataclass(frozen=True)
class Saving:
    """The savings of sequential experiments. `shipped` counts those that chose the treatment, and `decided` those that
    ended before the limit of their size.

    `saved` is the share of the planned clusters that the median experiment did not need. `against_fixed` is the share
    of the clusters of a t test that it did not need; it is negative if the experiment needed more.
    """

    name: str
    shipped: Count
    decided: Count
    planned: int
    median_clusters: float
    saved: float
    against_fixed: float


def setup(method: Method, *, planned: int = 2, binary: bool = False) -> AnalysisSetup:
    variants = [Variant("c", "Control", True, 0.5), Variant("t", "New", False, 0.5)]
    metric = Metric("score", binary=binary)
    return AnalysisSetup(method, Design.PAIRED, metric, variants, planned=planned, minimum_effect=EFFECT)


KINDS: dict[str, tuple[Callable[[float], Callable[[np.random.Generator, int], Floats]], float]] = {
    "scores, sd .3": (normal, 0.3**2),
    "passes, 20 % discordant": (passes, 0.2),
}


def savings(kind: str, times: float, replications: int, *, workers: int = 1) -> Saving:
    """Simulate sequential experiments whose true effect is `times` the planned one. Return how many clusters they save,
    as they may end early. A round has a twentieth of the planned sample.

    `kind` is a key of `KINDS`, the kinds of values that the experiments compare.
    """
    variance = KINDS[kind][1]
    planned, fixed = (
        needed_clusters(setup(method), effect=EFFECT, variance=variance, power=0.8) or 0
        for method in (Method.SEQUENTIAL, Method.FREQUENTIST)
    )
    tasks = [(kind, times, planned, seed, count) for seed, count in chunks(replications)]
    ends = [end for chunk in spread(_ended, tasks, workers) for end in chunk]
    name = f"sequential, {kind}, effect {times:g} x the planned one"
    clusters = median(clusters for clusters, _ in ends)
    ships = sum(state == "ship" for _, state in ends)
    most, least = (ALPHA / 2, None) if times == 0 else (None, 0.8)
    return Saving(
        name=name,
        shipped=Count(f"{name}: ships", ships, replications, most=most, least=least),
        decided=Count(f"{name}: decided", sum(state != "limit" for _, state in ends), replications),
        planned=planned,
        median_clusters=clusters,
        saved=1 - clusters / planned,
        against_fixed=1 - clusters / fixed,
    )


def _ended(task: tuple[str, float, int, int, int]) -> list[tuple[int, str]]:
    kind, times, planned, seed, count = task
    random, draw = np.random.default_rng(seed), paired(KINDS[kind][0](times * EFFECT), planned)
    size = max(10, math.ceil(planned / 20))
    ends = []
    for _ in range(count):
        found = sequence_of(draw(random), planned=planned)
        times_of = {
            "ship": found.excluded_after(0.0, ALPHA / 2, from_below=True),
            "roll_back": found.excluded_after(0.0, ALPHA / 2, from_below=False),
            "futile": found.excluded_after(EFFECT, ALPHA / 2, from_below=False),
        }
        reached = {state: math.ceil(at / size) * size for state, at in times_of.items() if at is not None}
        state = min(reached, key=reached.__getitem__) if reached else "limit"
        ends.append((min(planned, reached.get(state, planned)), state))
    return ends


# Processes.


def chunks(replications: int) -> list[tuple[int, int]]:
    return [(SEED + at, min(_CHUNK, replications - at)) for at in range(0, replications, _CHUNK)]


def spread(work: Callable[[Task], Found], tasks: Sequence[Task], workers: int) -> list[Found]:
    if workers == 1:
        return [work(task) for task in tasks]
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(work, tasks))
