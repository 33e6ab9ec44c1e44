"""Test the verdict of the performance guard with invented measurements. `make guard` measures the real platform."""

import pytest

from benchmarks.guard import Verdict, confirmed, last_kept, verdict


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        (20.0, Verdict.FINE),
        (46.7, Verdict.FINE),
        (46.9, Verdict.WARNING),
        (71.9, Verdict.WARNING),
        (72.0, Verdict.FAILURE),
    ],
)
def test_verdict_compares_with_the_stored_figure(ratio: float, expected: Verdict) -> None:
    assert verdict(ratio, kept=36.0) is expected


async def test_median_of_the_measurements_counts() -> None:
    assert await confirmed(_Measured([38.0, 200.0, 40.0]), kept=36.0) == 40.0


async def test_slow_result_is_measured_again_and_the_minimum_counts() -> None:
    busy = _Measured([90.0, 80.0, 100.0], [41.0, 85.0, 80.0])
    assert await confirmed(busy, kept=36.0) == 41.0
    slower = _Measured([90.0, 80.0, 100.0], [81.0, 85.0, 80.0])
    assert await confirmed(slower, kept=36.0) == 80.0


def test_a_reference_figure_is_stored() -> None:
    assert last_kept() > 1


class _Measured:
    """A fake measurement that returns the given sets of results, one per call."""

    def __init__(self, *sets: list[float]) -> None:
        self._sets = list(sets)

    async def __call__(self) -> list[float]:
        return self._sets.pop(0)
