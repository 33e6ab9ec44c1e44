"""Write the cases of a comparison as CSV (RFC 4180, UTF-8): one line per case.

Model output is untrusted: a cell that a spreadsheet would run as a formula gets a leading quote.
"""

import csv
import io
from collections.abc import AsyncIterator, Sequence
from typing import Final

from llmbench.files.formulas import neutralise, neutralised
from orchestrator.comparison.handlers.column_names import unique_names
from orchestrator.comparison.ports.cases import CaseQuery, Cell, ComparedCase
from orchestrator.comparison.ports.comparison import Column, ComparisonReader

OF_CASE: Final = ("task_id", "category", "question")
OF_CELL: Final = ("status", "score", "score_normalised", "passed", "answer")
"""The values that each column has. Their names begin with the name of the column and a dot."""
DIFFERENCE: Final = "difference"
"""The difference from the baseline's `score_normalised`. The baseline itself has no such value."""


async def write(reader: ComparisonReader, columns: Sequence[Column], query: CaseQuery) -> AsyncIterator[str]:
    """Yield the file's lines: the header, then the cases of the query in its order."""
    yield _line([*OF_CASE, *(neutralise(name) for name in _header(columns, query.baseline))])
    async for case in reader.every_case(columns, query):
        yield _line(neutralised(_values(case, query.baseline)))


def _header(columns: Sequence[Column], baseline: int) -> list[str]:
    return [
        f"{name}.{value}"
        for at, name in enumerate(unique_names(columns))
        for value in (OF_CELL if at == baseline else (*OF_CELL, DIFFERENCE))
    ]


def _values(case: ComparedCase, baseline: int) -> list[object]:
    values: list[object] = [case.task_id, case.category, case.question]
    for at, cell in enumerate(case.cells):
        values += _of_cell(cell)
        if at != baseline:
            values.append(cell and cell.difference)
    return values


def _of_cell(cell: Cell | None) -> list[object]:
    if cell is None:
        return [None] * len(OF_CELL)
    return [cell.status.value, cell.score, cell.score_normalised, cell.passed, cell.answer]


def _line(cells: Sequence[object]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(cells)
    return buffer.getvalue()
