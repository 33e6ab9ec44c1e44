"""Choose the cells of the table of access (routes × kinds of callers) that a test run tries.

With `--every-cell` it tries all cells, otherwise a quarter of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from tools.gen.access_table import Caller, Outcome, Row, expected

STEP = 4
STATUS = {Outcome.NOT_SIGNED_IN: 401, Outcome.NOT_ALLOWED: 403, Outcome.NOT_FOUND: 404}


@dataclass(frozen=True)
class Cell:
    row: Row
    caller: Caller

    @property
    def expected(self) -> Outcome:
        return expected(self.row, self.caller)

    @property
    def refused(self) -> bool:
        return self.expected in (Outcome.NOT_SIGNED_IN, Outcome.NOT_ALLOWED, Outcome.NOT_FOUND)

    def __str__(self) -> str:
        return f"{self.row.name} by {self.caller.value}"


def chosen(rows: Iterable[Row], config: pytest.Config) -> list[Cell]:
    """Return the cells to try: all, or a quarter of them. The quarter has cells of every row and of every caller, and
    is the same in each run."""
    step = 1 if config.getoption("--every-cell") else STEP
    return [
        Cell(row, caller)
        for number, row in enumerate(rows)
        for place, caller in enumerate(Caller)
        if (number + place) % step == 0 and expected(row, caller) is not Outcome.IMPOSSIBLE
    ]
