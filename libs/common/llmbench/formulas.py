"""Cells of CSV that a spreadsheet would run (https://owasp.org/www-community/attacks/CSV_Injection)."""

from collections.abc import Iterable

from llmbench.files.csv_text import FORMULA_STARTS, neutral


def neutralise(cell: object) -> object:
    """Numbers stay numbers; a text that would be a formula gets a leading quote.

    >>> neutralise("=1+1"), neutralise(-1), neutralise("a=1")
    ("'=1+1", -1, 'a=1')
    """
    return neutral(cell) if isinstance(cell, str) else cell


def neutralised(cells: Iterable[object]) -> list[object]:
    """Many cells; a look at the first character is enough for nearly all of them.

    >>> neutralised(["=1+1", -1, "", None, "'=1"])
    ["'=1+1", -1, '', None, "''=1"]
    """
    return [neutral(cell) if isinstance(cell, str) and cell[:1] in FORMULA_STARTS else cell for cell in cells]
