"""Measure false alarms, power and coverage of verdicts, and the decisions of gates, in simulated comparisons. The true
mean of each comparison is known.
"""

import asyncio
import os

from benchmarks.scenario import Measure, Scenario
from benchmarks.verdict_rows import ROWS, Row, fine_gates, pass_rates, simulate
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.gate import decide_gate
from orchestrator.comparison.domain.planning import probability_fine
from orchestrator.comparison.domain.verdicts import verdicts

_REPLICATIONS = 20_000
_GATE_CASES, _GATE_MARGIN, _GATE_REPLICATIONS = 620, 0.05, 2_000


async def measure() -> list[Measure]:
    return await asyncio.to_thread(_measure)


def _measure() -> list[Measure]:
    # Let each process compute in one thread, because the pool has as many processes as cores.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    measures = [found for row in ROWS for found in _of_row(row)]
    for alike in (0.0, 0.3, 0.8):
        held = pass_rates(cases=50, epochs=4, alike=alike, rate=0.7, replications=_REPLICATIONS)
        name = f"pass rate .7, 50 cases of 4 epochs, ICC {alike:g}: 95 % interval holds it"
        measures.append(Measure(name, 100 * held / _REPLICATIONS, "%", "94 to 97"))
    return [*measures, *_gate(), *_certain()]


def _of_row(row: Row) -> list[Measure]:
    rates = simulate(row, _REPLICATIONS, workers=os.cpu_count() or 1)

    def measured(claim: str, count: int, aim: str | None) -> Measure:
        return Measure(f"{row.name} ({row.generator}): {claim}", 100 * count / rates.replications, "%", aim)

    if row.power:
        least = 100 * rates.t_below / rates.replications - 3
        return [measured("worse", rates.below, f"{least:.1f} or more, 3 less than the paired t")]
    found = [
        measured("better", rates.above, "at most 6"),
        measured("worse", rates.below, "at most 6"),
        measured("paired t, better", rates.t_above, None),
        measured("paired t, worse", rates.t_below, None),
    ]
    if row.coverage is not None:
        aim = f"{100 * row.coverage:g} or more"
        found.append(measured(f"{row.level} interval holds the mean", rates.covering, aim))
    return found


def _gate() -> list[Measure]:
    """Measure how often a gate finds an unchanged model *fine*, which means not worse by its margin or more. Compare
    this with the probability that was planned.

    By chance, a quarter of the simulated cases pass in only one of the two runs.
    """
    fine = fine_gates(cases=_GATE_CASES, margin=_GATE_MARGIN, replications=_GATE_REPLICATIONS)
    planned = probability_fine(clusters=_GATE_CASES, margin=_GATE_MARGIN)
    name = f"gate of {_GATE_CASES} cases, margin {_GATE_MARGIN}, unchanged model, a quarter of the passes differ: fine"
    return [Measure(name, 100 * fine / _GATE_REPLICATIONS, "%", f"{100 * planned:.1f}, as planned")]


def _certain() -> list[Measure]:
    """Check two verdicts on fixed data: a gate whose candidate is worse in every case, and a comparison with low
    coverage. A measurement is 1 if its verdict is correct."""
    lost = decide_gate([GatePair(ClusterSums.of([-1] * 5), 5, 5)], margin=_GATE_MARGIN)
    covered = verdicts([GatePair(ClusterSums.of([0.5] * 20), 100, 20)])[0]
    return [
        Measure("gate of five cases, all lost by 1: worse", lost.state == "worse", "", "1"),
        Measure("20 of 100 shared cases scored, all better: low coverage", covered.verdict == "low coverage", "", "1"),
    ]


SCENARIO = Scenario(name="verdicts", title="False alarms, power and coverage of verdicts and gates", measure=measure)
