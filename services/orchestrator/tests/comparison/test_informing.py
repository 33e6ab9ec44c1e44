"""Test the verdicts of evaluators that only inform, because no gate uses them. They report small differences more
readily than gates do, but never without evidence.
"""

from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.informing import informing_verdicts
from orchestrator.comparison.domain.verdicts import Verdict, verdicts


def pair(shift: float, *, shared: int = 120) -> GatePair:
    values = [shift + 0.05 * (case % 11 - 5) for case in range(120)]
    return GatePair(ClusterSums.of(values), shared_cases=shared, scored_cases=120)


def test_informing_verdicts_are_corrected_separately_from_gating_ones() -> None:
    # Together, several small differences are reported at a level at which one of them alone would not be.
    compared = [pair(0.032), pair(0.032), pair(0.032), pair(0.031)]
    assert [verdict.verdict for verdict in informing_verdicts(compared)] == [Verdict.BETTER] * 4
    assert all(
        verdict.simultaneous is not None and verdict.simultaneous.low > 0 for verdict in informing_verdicts(compared)
    )
    alone = [pair(0.032), pair(0.0), pair(0.001), pair(-0.001)]
    assert [verdict.verdict for verdict in informing_verdicts(alone)] == [
        verdict.verdict for verdict in verdicts(alone)
    ]


def test_single_informing_verdict_equals_the_gating_verdict() -> None:
    for shift in (0.0, 0.02, 0.1, -0.1):
        (here,), (there,) = informing_verdicts([pair(shift)]), verdicts([pair(shift)])
        assert (here.verdict, here.simultaneous, here.clusters_needed) == (
            there.verdict,
            there.simultaneous,
            there.clusters_needed,
        )


def test_informing_verdict_with_low_coverage_is_low_coverage() -> None:
    nothing = GatePair(ClusterSums(()), shared_cases=10, scored_cases=0)
    found = informing_verdicts([pair(0.1, shared=200), nothing])
    assert [judged_pair.verdict for judged_pair in found] == [Verdict.LOW_COVERAGE] * 2
    assert informing_verdicts([]) == []
