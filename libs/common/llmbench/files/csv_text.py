"""Cells of CSV (RFC 4180), there and back.

A cell that a spreadsheet would run as a formula is written with a leading quote
(https://owasp.org/www-community/attacks/CSV_Injection). Reading takes one such quote away again, so
that a file comes back as it went: of `'=1` remains `=1`, of `'tis` nothing is taken.
"""

import csv
import io
import re
from collections.abc import Iterator
from typing import Final

# Also the full-width signs, which some spreadsheets take for the narrow ones.
_SIGNS: Final = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"
FORMULA_STARTS: Final = frozenset(f"'{_SIGNS}")
"""No other character begins what `neutral` changes."""
_SIGN: Final = f"[{re.escape(_SIGNS)}]"
_FORMULA: Final = re.compile(f"'*{_SIGN}")
_NEUTRALISED: Final = re.compile(f"'+{_SIGN}")
# Of the whole process, and nothing else in it reads CSV: above what any field may hold (1,000,000), so that a
# field that is too long is a bad row, and far below what a quote that nobody closes would swallow.
csv.field_size_limit(2_000_000)


def revived(cell: str) -> str:
    return cell[1:] if _NEUTRALISED.match(cell) else cell


def neutral(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell


def line_of(cells: Iterator[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(list(cells))
    return buffer.getvalue()
