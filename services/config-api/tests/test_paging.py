"""Test that a cursor is decoded to the position it was made from, and that any other text is refused."""

from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from config_api.paging import After, Order, decode, encode
from llmbench.errors import Problem

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))


@given(TEXT)
def test_cursor_round_trip_preserves_any_name(name: str) -> None:
    assert decode(encode(After("name", name)), order="name") == After("name", name)


@given(st.integers(0, 2**63 - 1))
def test_cursor_round_trip_preserves_any_position(position: int) -> None:
    assert decode(encode(After("position", position)), order="position") == After("position", position)


@given(TEXT, TEXT)
def test_cursor_round_trip_preserves_category_and_task(category: str, name: str) -> None:
    after = After("-category", category, name)
    assert decode(encode(after), order="-category") == after


@given(st.datetimes(timezones=st.just(UTC)), TEXT)
def test_cursor_round_trip_preserves_time_and_task(moment: datetime, name: str) -> None:
    after = After("updated_at", moment.isoformat(), name)
    assert decode(encode(after), order="updated_at") == after


@given(st.text())
@example("")
@example("W10")
@example("WyJuYW1lIiwxXQ")
@example("é")
@example("WyJuYW1lIiwiXHUwMDAwIl0")
@pytest.mark.shows("S-16")
def test_invalid_cursor_is_a_problem_that_names_the_cursor(text: str) -> None:
    orders: tuple[Order, ...] = ("name", "position", "-category", "created_at")
    for order in orders:
        problem = _refusal(text, order)
        if problem is None:
            assert encode(decode(text, order=order)) == text
        else:
            assert (problem.status, problem.errors[0].field) == (422, "cursor")


def _refusal(text: str, order: Order) -> Problem | None:
    try:
        decode(text, order=order)
    except Problem as problem:
        return problem
    return None


@pytest.mark.parametrize(
    ("after", "order"),
    [
        (After("name", "a"), "position"),
        (After("position", 1), "name"),
        (After("position", "a"), "position"),
        (After("position", True), "position"),
        (After("position", -1), "position"),
        (After("position", 2**63), "position"),
        (After("name", "\x00"), "name"),
        (After("name", 1), "name"),
        (After("name", "a", "b"), "name"),
        (After("category", "a"), "category"),
        (After("category", "a", "\x00"), "category"),
        (After("created_at", "2026-01-01T00:00:00+00:00"), "created_at"),
        (After("created_at", "2026-01-01T00:00:00", "a"), "created_at"),
        (After("created_at", "2026-01-01T00:00:00+01:00", "a"), "created_at"),
        (After("created_at", "yesterday", "a"), "created_at"),
    ],
)
def test_cursor_of_another_listing_is_refused(after: After, order: Order) -> None:
    with pytest.raises(Problem):
        decode(encode(after), order=order)
