"""Test a run's verdict over all its pairs of targets. Pairs have clusters in common. A pair with missing answers lowers
the coverage, the share of cases with both answers.
"""

import numpy as np
import pytest
from scipy.stats import binom

from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair, combined
from orchestrator.comparison.domain.verdicts import Verdict, verdicts

_REPLICATIONS, _PAIRS, _CASES = 300, 4, 60


def test_pairs_that_share_cases_do_not_multiply_the_evidence() -> None:
    """Four pairs have similar differences in each of 60 cases, so they count as 60 clusters, not 240."""
    random = np.random.default_rng(20_261_130)
    alarms = {True: 0, False: 0}
    for _ in range(_REPLICATIONS):
        of_case = random.normal(0, 0.35, _CASES)
        values = np.clip(of_case[:, None] + random.normal(0, 0.1, (_CASES, _PAIRS)), -1, 1)
        shared = ClusterSums.tally((float(row.sum()), _PAIRS, 1) for row in values)
        apart = ClusterSums.of(float(value) for value in values.ravel())
        assert shared.clusters == _CASES
        assert shared.mean == pytest.approx(apart.mean)
        for is_shared, sums in ((True, shared), (False, apart)):
            (one,) = verdicts([GatePair(sums, shared_cases=_CASES, scored_cases=_CASES)])
            alarms[is_shared] += one.verdict in (Verdict.BETTER, Verdict.WORSE)
    assert binom.sf(alarms[True] - 1, _REPLICATIONS, 0.06) >= 0.01
    assert binom.sf(alarms[False] - 1, _REPLICATIONS, 0.06) < 0.01, "counted apart they err too often"


def test_run_has_coverage_only_if_each_of_its_pairs_has() -> None:
    sums = ClusterSums.of([0.1] * 400)
    covered_pair = GatePair(sums, shared_cases=100, scored_cases=100)
    lost = GatePair(sums, shared_cases=100, scored_cases=80)
    assert combined(sums, [covered_pair] * 3).covered
    found = combined(sums, [covered_pair, covered_pair, covered_pair, lost])
    assert (found.covered, found.coverage) == (False, 0.8)
    assert verdicts([found])[0].verdict is Verdict.LOW_COVERAGE
