"""Write CSV cells (RFC 4180) that are safe in spreadsheets, and read them back unchanged.

A cell that a spreadsheet might run as a formula is written with a leading quote
(https://owasp.org/www-community/attacks/CSV_Injection). Reading removes one such quote, so `'=1` becomes `=1`. Other
leading quotes stay, as in `'tis`.
"""

import csv
import io
import re
from _csv import Reader
from collections.abc import Iterable, Iterator
from typing import Final

# The list includes full-width signs, which some spreadsheets treat like the ASCII ones.
_SIGNS: Final = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"
FORMULA_STARTS: Final = frozenset(f"'{_SIGNS}")
"""The possible first characters of a cell that `neutral` changes."""
_SIGN: Final = f"[{re.escape(_SIGNS)}]"
_FORMULA: Final = re.compile(f"'*{_SIGN}")
_NEUTRALISED: Final = re.compile(f"'+{_SIGN}")
# This limit applies to the entire process, so nothing else may set it. It exceeds the limit of every field (1,000,000
# characters), so that a longer field is reported as a bad row. It also stops an unclosed quote from taking in the rest
# of the file.
csv.field_size_limit(2_000_000)


def revived(cell: str) -> str:
    return cell[1:] if _NEUTRALISED.match(cell) else cell


def neutral(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell


def line_of(cells: Iterator[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(list(cells))
    return buffer.getvalue()


def reader(lines: Iterable[str], delimiter: str = ",") -> Reader:
    """Return a reader of CSV lines. It raises `csv.Error` for a misplaced quote or a cell over 2,000,000 characters."""
    return csv.reader(lines, delimiter=delimiter, strict=True)
