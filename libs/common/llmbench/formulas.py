"""Cells of CSV that a spreadsheet would run (https://owasp.org/www-community/attacks/CSV_Injection)."""

_STARTS = ("=", "+", "-", "@", "\t", "\r")


def neutralise(cell: object) -> object:
    """Numbers stay numbers; a text that would be a formula gets a leading quote.

    >>> neutralise("=1+1"), neutralise(-1), neutralise("a=1")
    ("'=1+1", -1, 'a=1')
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_STARTS) else cell
