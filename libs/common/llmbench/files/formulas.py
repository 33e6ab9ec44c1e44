"""Protect spreadsheets against CSV injection (https://owasp.org/www-community/attacks/CSV_Injection)."""

from collections.abc import Iterable

from llmbench.files.csv_text import FORMULA_STARTS, neutral


def neutralise(cell: object) -> object:
    """Return the cell, with a quote before it if it is a text that a spreadsheet might run as a formula.

    A formula that already begins with quotes gets one more, because reading removes one (`llmbench.files.csv_text`).

    >>> neutralise("=1+1"), neutralise(-1), neutralise("a=1")
    ("'=1+1", -1, 'a=1')
    >>> neutralise("'=1+1")
    "''=1+1"
    """
    return neutral(cell) if isinstance(cell, str) else cell


def neutralised(cells: Iterable[object]) -> list[object]:
    """Return the cells, each as `neutralise` returns it. For many cells this function is faster.

    >>> neutralised(["=1+1", -1, "", None])
    ["'=1+1", -1, '', None]
    """
    return [neutral(cell) if isinstance(cell, str) and cell[:1] in FORMULA_STARTS else cell for cell in cells]
