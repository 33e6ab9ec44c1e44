"""Test how an interruption of a run, such as a killed process, is measured: its duration and the repeated calls.

Both are computed from the mock provider's record of its calls.
"""

import pytest

from benchmarks.interruptions import Call, interruption


def _call(started_at: float, finished_at: float | None, call_id: str | None = None) -> Call:
    return {"started_at": started_at, "finished_at": finished_at, "call_id": call_id or f"call at {started_at}"}


def test_interruption_ends_with_the_first_call_after_the_longest_pause() -> None:
    # Calls that are in flight at the interruption go on for a moment.
    calls = [_call(9.0, 9.2), _call(10.1, 10.3), _call(10.2, 10.4), _call(13.0, 13.2), _call(13.1, None)]
    found = interruption(calls, at=10.0, in_flight=2)
    assert found.next_call_s == pytest.approx(3.0)
    assert found.full_speed_s == pytest.approx(3.1)
    assert found.repeated_calls == 0


def test_every_repetition_of_a_call_is_counted() -> None:
    calls = [_call(9.0, 9.2, "a"), _call(9.1, 9.3, "b"), _call(12.0, 12.2, "a"), _call(14.0, 14.2, "a")]
    assert interruption(calls, at=10.0, in_flight=1).repeated_calls == 2


def test_calls_without_an_id_are_not_counted_as_repeated() -> None:
    calls = [{**_call(at, at + 0.1), "call_id": None} for at in (9.0, 11.0, 12.0)]
    assert interruption(calls, at=10.0, in_flight=1).repeated_calls == 0


def test_unfinished_interruption_has_no_figures() -> None:
    with pytest.raises(ValueError, match="no call"):
        interruption([_call(9.0, 9.2)], at=10.0, in_flight=1)
    with pytest.raises(ValueError, match="2 calls"):
        interruption([_call(9.0, 9.2), _call(11.0, 11.2)], at=10.0, in_flight=2)
