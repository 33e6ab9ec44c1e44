"""Cells of CSV that a spreadsheet would run (https://owasp.org/www-community/attacks/CSV_Injection)."""

from llmbench.files.csv_text import neutral


def neutralise(cell: object) -> object:
    """Numbers stay numbers; a text that would be a formula gets a leading quote.

    >>> neutralise("=1+1"), neutralise(-1), neutralise("a=1")
    ("'=1+1", -1, 'a=1')
    """
    return neutral(cell) if isinstance(cell, str) else cell
