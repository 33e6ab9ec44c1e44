"""Test the generator of the list of documented promises. It reports promises without a test, and tests that name
unknown promises."""

import pytest

from tools.gen.claims import ClaimProblem, check, claims_of, markers

SOURCE = """
import pytest


@pytest.mark.asyncio
@pytest.mark.shows("I-01", "S-02")
async def test_it_ends() -> None: ...


class TestMore:
    @pytest.mark.shows("I-02")
    def test_it_begins(self) -> None: ...


def test_without_a_marker() -> None: ...
"""


def test_markers_are_read_without_importing_the_file() -> None:
    assert sorted(markers(SOURCE)) == [
        ("I-01", "test_it_ends"),
        ("I-02", "test_it_begins"),
        ("S-02", "test_it_ends"),
    ]


def test_promises_are_found_in_tables_and_lists() -> None:
    page = "| id | promise |\n|---|---|\n| I-01 | It ends | a timeout |\n\n- R-02 **It stays**, but for once\n- no id\n"
    assert claims_of(page) == {"I-01": "It ends", "R-02": "It stays"}


def test_promise_id_used_twice_on_a_page_is_an_error() -> None:
    with pytest.raises(ClaimProblem, match="I-01 stands twice"):
        claims_of("| I-01 | It ends | a |\n| I-01 | It begins | b |\n")


def test_promise_without_a_test_is_an_error() -> None:
    with pytest.raises(ClaimProblem, match="no test shows I-02"):
        check({"I-01", "I-02"}, {"I-01": ["test_it_ends"]})


def test_marker_of_an_unknown_promise_is_an_error() -> None:
    with pytest.raises(ClaimProblem, match="no page promises I-03"):
        check({"I-01"}, {"I-01": ["test_it_ends"], "I-03": ["test_it_begins"]})
