"""Simulate comparisons with a known true mean, to test the orchestrator's intervals.

Each of `ROWS` is a row of the table of results, and names its generator of samples. `simulate` counts the intervals
that include the true mean, and those that lie above or below 0. Pass rates and gates are simulated, too. If a sample is
drawn several times, it is evaluated once and counted each time. The random numbers have a fixed seed.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.gate import decide_gate
from orchestrator.comparison.domain.interval import MeanTest
from orchestrator.results.domain.intervals import Clusters, pass_interval

Samples = list[ClusterSums]
Draw = Callable[[np.random.Generator, int], Samples]
ALPHAS = {"90 %": 0.05, "95 %": 0.025}
"""The two-sided intervals by label, with the error probability of each end."""
_SEED = 20_261_122


@dataclass(frozen=True)
class Row:
    """A row of the table of results. Its function `draw` draws samples with the true mean `mean`. `generator` describes
    this function in words.

    `level` is the confidence level of the intervals, "90 %" or "95 %". `coverage` is the least share of intervals that
    should include the true mean; `None` if the coverage is not measured. A row with `power` has a negative true mean,
    and measures how often this is detected.
    """

    name: str
    generator: str
    draw: Draw
    mean: float = 0.0
    level: str = "90 %"
    coverage: float | None = None
    power: bool = False


@dataclass(frozen=True)
class Rates:
    """The numbers of intervals, out of `replications`, that lie above 0, lie below 0, and include the true mean.

    `t_above` and `t_below` are the same counts for the paired t test over clusters.
    """

    replications: int
    above: int
    below: int
    covering: int
    t_above: int
    t_below: int

    def __add__(self, other: "Rates") -> "Rates":
        return Rates(*(mine + its for mine, its in zip(self.counts, other.counts, strict=True)))

    @property
    def counts(self) -> tuple[int, int, int, int, int, int]:
        return (self.replications, self.above, self.below, self.covering, self.t_above, self.t_below)


def simulate(row: Row, replications: int, *, workers: int = 1) -> Rates:
    """Draw `replications` samples of the row. Count the intervals that lie above 0, lie below 0, or include the true
    mean. Use `workers` processes."""
    drawn = list(Counter(row.draw(np.random.default_rng(_SEED), replications)).items())
    chunks = [(row.mean, ALPHAS[row.level], drawn[at : at + 100]) for at in range(0, len(drawn), 100)]
    if workers == 1:
        return _sum(map(_rates_of_chunk, chunks))
    with ProcessPoolExecutor(workers) as pool:
        return _sum(pool.map(_rates_of_chunk, chunks))


def _sum(rates: Iterable[Rates]) -> Rates:
    return sum(rates, Rates(0, 0, 0, 0, 0, 0))


def _rates_of_chunk(chunk: tuple[float, float, Sequence[tuple[ClusterSums, int]]]) -> Rates:
    truth, alpha, samples = chunk
    return _sum(_rates_of_sample(sums, count, truth, alpha) for sums, count in samples)


def _rates_of_sample(sums: ClusterSums, count: int, truth: float, alpha: float) -> Rates:
    test = MeanTest(sums)
    low, high = test.low(alpha)[0], test.high(alpha)[0]
    t_low, t_high = _paired_t(sums, alpha)
    noise = 1e-9
    return Rates(
        replications=count,
        above=count * (low > noise),
        below=count * (high < -noise),
        covering=count * (low <= truth + noise and high >= truth - noise),
        t_above=count * (t_low > noise),
        t_below=count * (t_high < -noise),
    )


def _paired_t(sums: ClusterSums, alpha: float) -> tuple[float, float]:
    mean, variance, clusters = sums.mean, sums.variance, sums.clusters
    if mean is None or variance is None or not sums.has_spread:
        return -math.inf, math.inf
    half = float(student.ppf(1 - alpha, clusters - 1)) * math.sqrt(variance / clusters)
    return mean - half, mean + half


def values(found: Sequence[float], shares: Sequence[float], n: int) -> Draw:
    """Return a function that draws samples of `n` differences. A difference is one of the values in `found`; `shares`
    has the probability of each value."""

    def draw(random: np.random.Generator, replications: int) -> Samples:
        return [
            ClusterSums.tally((value, 1, int(count)) for value, count in zip(found, counts, strict=True))
            for counts in random.multinomial(n, shares, size=replications)
        ]

    return draw


def cases(difference: Callable[[np.random.Generator, tuple[int, int]], NDArray[np.float64]], n: int) -> Draw:
    """Return a function that draws samples of `n` differences. `difference` gets the random generator and the shape of
    the array of differences, samples × `n`."""

    def draw(random: np.random.Generator, replications: int) -> Samples:
        return [ClusterSums.of(map(float, sample)) for sample in difference(random, (replications, n))]

    return draw


def documents(number: int, questions: int, *, alike: float) -> Draw:
    """Return a function that draws samples of `number` documents with `questions` questions each.

    The differences are normally distributed around 0 with a standard deviation of .3, and limited to -1 … 1. The
    differences of one document have an intraclass correlation of `alike`.
    """

    def draw(random: np.random.Generator, replications: int) -> Samples:
        return list(_documents(random, replications))

    def _documents(random: np.random.Generator, replications: int) -> Iterator[ClusterSums]:
        for _ in range(replications):
            shared = random.normal(0, 0.3 * math.sqrt(alike), (number, 1))
            own = random.normal(0, 0.3 * math.sqrt(1 - alike), (number, questions))
            sums = np.clip(shared + own, -1, 1).sum(axis=1)
            yield ClusterSums.tally((float(total), questions, 1) for total in sums)

    return draw


def pass_rates(*, cases: int, epochs: int, alike: float, rate: float, replications: int) -> int:
    """Return how many of `replications` 95 % intervals of a pass rate include the true rate, `rate`.

    Each simulated run has `cases` cases with `epochs` epochs. The cases' own rates are beta-distributed around `rate`,
    with an intraclass correlation of `alike` (0: all cases have the same rate).
    """
    random = np.random.default_rng(_SEED)
    shape = (replications, cases, 1)
    of_case = (
        random.beta(rate * (1 / alike - 1), (1 - rate) * (1 / alike - 1), shape) if alike else np.full(shape, rate)
    )
    passed = (random.random((replications, cases, epochs)) < of_case).sum(axis=2)
    held = 0
    for counts in passed:
        x, xx = int(counts.sum()), int((counts * counts).sum())
        interval = pass_interval(Clusters(cases, cases * epochs, x, xx, x * epochs, cases * epochs * epochs))
        held += interval is not None and interval[0] <= rate <= interval[1]
    return held


def fine_gates(*, cases: int, margin: float, replications: int) -> int:
    """Return how many of `replications` gates with this margin decide *fine* (not worse by the margin or more) for an
    unchanged model.

    By chance such a model gains a pass in about an eighth of the cases, and loses a pass in another eighth.
    """
    draw = values((1, -1, 0), (0.125, 0.125, 0.75), cases)
    drawn = Counter(draw(np.random.default_rng(_SEED), replications))
    return sum(
        count
        for sums, count in drawn.items()
        if decide_gate([GatePair(sums, cases, cases)], margin=margin).state == "fine"
    )


_SKEWED = "+.1 in 90 %, -.9 in 10 %"
_COLLAPSED = "-.8 in 8 %, +.015 in the rest"
_PASSES = "gained 10 %, lost 10 %, the rest equal"


def _skewed(n: int) -> Row:
    return Row(f"skewed null, {n} cases", _SKEWED, values((0.1, -0.9), (0.9, 0.1), n))


def _jittered(n: int) -> Row:
    def difference(random: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float64]:
        return np.where(random.random(shape) < 0.1, -0.9, 0.1) + random.normal(0, 0.02, shape)

    return Row(f"skewed null with noise, {n} cases", f"{_SKEWED}, noise of sd .02", cases(difference, n))


def _collapsed(n: int, level: str) -> Row:
    draw = values((-0.8, 0.015), (0.08, 0.92), n)
    return Row(f"collapse, {n} cases, {level}", _COLLAPSED, draw, mean=-0.0502, level=level, power=True)


def _normal(random: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float64]:
    return np.clip(random.normal(0, 0.3, shape), -1, 1)


def _exponential(random: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float64]:
    return np.clip(random.exponential(0.1, shape), 0, 1.1) - 0.1


def _bimodal(random: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float64]:
    return random.choice([-0.5, -0.25, 0.0, 0.25, 0.5], shape)


ROWS: tuple[Row, ...] = (
    *map(_skewed, (10, 30, 100)),
    *map(_jittered, (10, 30)),
    *(_collapsed(n, level) for level in ALPHAS for n in (100, 300, 1000)),
    Row("10 documents, 10 questions, ICC .3", "normal, sd .3", documents(10, 10, alike=0.3)),
    Row("10 documents, 10 questions, ICC .1", "normal, sd .3", documents(10, 10, alike=0.1)),
    Row("a verdict at the end only, 300 cases", _PASSES, values((1, -1, 0), (0.1, 0.1, 0.8), 300)),
    *(
        Row(
            f"few differ, {n} cases",
            f"gained {share:.1%}, lost {share:.1%}",
            values((1, -1, 0), (share, share, 1 - 2 * share), n),
        )
        for n, share in ((100, 0.02), (300, 0.01), (1000, 0.002))
    ),
    Row("10 cases, normal", "normal, sd .3", cases(_normal, 10), level="95 %", coverage=0.94),
    Row("10 cases, five steps", "-.5, -.25, 0, .25, .5 alike", cases(_bimodal, 10), level="95 %", coverage=0.94),
    Row("10 cases, skewed", "exponential, mean .1, less .1", cases(_exponential, 10), level="95 %", coverage=0.94),
    Row("10 cases, passes", _PASSES, values((1, -1, 0), (0.1, 0.1, 0.8), 10), level="95 %", coverage=0.94),
)
