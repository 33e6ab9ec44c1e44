"""Test that a spreadsheet treats no cell of our CSV files as a formula, and that a written file is read back
unchanged."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmbench.files.csv_text import line_of, neutral, revived
from llmbench.files.formulas import neutralise
from tests.architecture.repository import ROOT, files, text

STARTS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"
WRITING = re.compile(r"csv\.writer|csv_text import .*\bline_of")
CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
DANGEROUS = st.builds(
    lambda quotes, start, rest: quotes + start + rest, st.sampled_from(["", "'", "''"]), st.sampled_from(STARTS), CELLS
)


@given(CELLS | DANGEROUS)
@pytest.mark.shows("S-19")
def test_neutralised_cell_is_no_formula_and_can_be_restored(cell: str) -> None:
    written = neutral(cell)
    assert not written.startswith(tuple(STARTS))
    assert neutralise(cell) == written
    assert revived(written) == cell


@given(st.lists(CELLS | DANGEROUS, min_size=1, max_size=5))
def test_csv_line_restores_to_its_original_cells(cells: list[str]) -> None:
    (row,) = csv.reader(io.StringIO(line_of(iter([neutral(cell) for cell in cells])), newline=""))
    assert [revived(cell) for cell in row] == cells


@given(st.integers() | st.floats() | st.none() | st.booleans())
def test_number_is_not_neutralised(cell: object) -> None:
    assert neutralise(cell) is cell


@pytest.mark.shows("S-19")
def test_every_module_that_writes_csv_neutralises_cells() -> None:
    writers = [path for path in _product() if WRITING.search(text(path))]
    assert len(writers) >= 5
    for path in writers:
        assert "neutral" in text(path) or path.name == "csv_text.py", path


def test_one_module_sets_the_limit_of_a_cell() -> None:
    """Python has one limit for the entire process: a second module would change the cells that the first accepts."""
    assert [path.name for path in _product() if "field_size_limit" in text(path)] == ["csv_text.py"]


def _product() -> Iterator[Path]:
    for path in files():
        if path.suffix == ".py" and path.parts[0] in ("libs", "services", "cli") and "tests" not in path.parts:
            assert (ROOT / path).is_file()
            yield path
