"""Test the false alarms, power and coverage of verdicts in simulated comparisons whose truth is known. `make bench
ONLY=verdicts` is the long form.

A scenario fails only if its result is outside the 99 % binomial bound of its claim.
"""

import pytest
from scipy.stats import binom

from benchmarks.verdict_rows import ROWS, Row, fine_gates, pass_rates, simulate
from orchestrator.comparison.domain.planning import probability_fine

_MOST_FALSE_ALARMS = 0.06
_LESS_THAN_THE_T_TEST = 0.03
# Scenarios whose names begin with one of these texts have few distinct samples. Results are cached, so many
# replications cost little.
_FEW_SAMPLES = ("skewed null, ", "collapse", "few differ")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_error_rates_power_and_coverage_of_a_scenario_hold(row: Row) -> None:
    replications = 20_000 if row.name.startswith(_FEW_SAMPLES) else 150
    rates = simulate(row, replications)
    if row.power:
        assert rates.below >= rates.t_below - _LESS_THAN_THE_T_TEST * replications
        return
    for alarms in (rates.above, rates.below):
        assert binom.sf(alarms - 1, replications, _MOST_FALSE_ALARMS) >= 0.01, "more false alarms than chance brings"
    if row.coverage is not None:
        assert binom.cdf(rates.covering, replications, row.coverage) >= 0.01


@pytest.mark.parametrize("alike", [0.0, 0.3])
def test_interval_of_pass_rates_over_epochs_has_its_coverage(alike: float) -> None:
    held = pass_rates(cases=50, epochs=4, alike=alike, rate=0.7, replications=2_000)
    assert binom.cdf(held, 2_000, 0.94) >= 0.01
    assert binom.sf(held - 1, 2_000, 0.975) >= 0.01, "wider than needed"


def test_planned_gates_are_fine_as_often_as_planned() -> None:
    fine = fine_gates(cases=620, margin=0.05, replications=150)
    planned = probability_fine(clusters=620, margin=0.05)
    assert binom.ppf(0.005, 150, planned - 0.02) <= fine <= binom.ppf(0.995, 150, planned + 0.02)
