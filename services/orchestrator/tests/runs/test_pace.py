"""Test how many commands are sent in advance: the faster the answers, the more."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.runs.domain.advance import PREFETCH
from orchestrator.runs.domain.pace import MOST, Pace

GAPS_S = st.lists(st.floats(0, 3600), max_size=40)


def _after(gaps_s: list[float]) -> tuple[Pace, float]:
    pace, times_s = Pace(), list(accumulate(gaps_s, initial=100.0))
    for at_s in times_s[1:]:
        pace.answered(at_s)
    return pace, times_s[-1]


@given(GAPS_S, st.floats(0, 3600))
def test_prefetch_stays_within_its_bounds(gaps_s: list[float], since_s: float) -> None:
    pace, last_s = _after(gaps_s)
    assert PREFETCH <= pace.prefetch(last_s + since_s) <= MOST


@given(st.floats(0, 0.005), st.floats(0.3, 60), st.integers(0, 40))
def test_prefetch_shrinks_soon_after_answers_become_slow(quick_s: float, slow_s: float, many: int) -> None:
    pace, last_s = _after([quick_s] * many + [slow_s] * 8)
    assert pace.prefetch(last_s) <= PREFETCH + 1


@pytest.mark.parametrize(
    ("gap_s", "prefetch"), [(0.005, MOST), (0.05, 11), (0.1, 6), (1.0, PREFETCH), (60.0, PREFETCH)]
)
def test_prefetch_grows_as_answers_come_faster(gap_s: float, prefetch: int) -> None:
    pace, last_s = _after([gap_s] * 20)
    assert pace.prefetch(last_s) == prefetch
