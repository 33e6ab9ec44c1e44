"""Finding numbers in prose, with their units, whatever separates their digits."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

_SPACES = " \u00a0\u2009\u202f"
_MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\uff0d": "-", "\uff0b": "+", "\uff05": "%", "\u066a": "%"})
_LONGEST_DIGITS = 60


@dataclass(frozen=True)
class Number:
    """`value` is in the base unit where the unit is known."""

    value: Fraction
    text: str
    unit: str | None


def numbers(text: str, *, decimal_comma: bool, units: Mapping[str, Fraction]) -> Iterator[Number]:
    """In their order. A number joined to letters before it ("R2") is part of a name and not counted."""
    text = text.translate(_MINUS)
    for found in (_COMMA if decimal_comma else _POINT).finditer(text):
        whole, fraction, exponent = found["whole"], found["fraction"] or "", found["exponent"] or "0"
        digits = "".join(char for char in whole if char.isdecimal())
        if len(digits) + len(fraction) > _LONGEST_DIGITS or found.end() - found.start() > 4 * _LONGEST_DIGITS:
            continue
        value = Fraction(f"{digits or 0}.{fraction or 0}") * Fraction(10) ** int(exponent)
        unit = _unit_after(text, found.end(), units) or _unit_before(text, found.start(), units)
        if found["sign"] == "-":
            value = -value
        yield Number(value * (units[unit] if unit else 1), found[0], unit)


def _pattern(group: str, point: str) -> re.Pattern[str]:
    # Either groups of three or digits alone; a sign counts where it does not follow a digit or a letter ("3-4").
    return re.compile(
        r"(?<![\w.,])(?P<sign>[+-])?"
        rf"(?P<whole>\d{{1,3}}(?:[{group}{_SPACES}'\u2019_]\d{{3}})+(?!\d)|\d+|(?={point}\d))"
        rf"(?:{point}(?P<fraction>\d+))?"
        r"(?:[eE](?P<exponent>[+-]?\d{1,3})(?!\d))?"
    )


_POINT = _pattern(",", r"\.")
_COMMA = _pattern(r".", ",")


# "m" in "metres", "m²", "m^2" and "m/s" is part of another unit.
_GOES_ON = re.compile(r"[^\W\d_]|[\u00b2\u00b3\u2070-\u2079^]|/[^\W\d_]")


def _unit_after(text: str, end: int, units: Mapping[str, Fraction]) -> str | None:
    if not units:
        return None
    after = text[end : end + 40].lstrip(_SPACES + "\\")
    # The longest first: "km/h" before "km".
    for unit in sorted(units, key=len, reverse=True):
        if after.startswith(unit) and not (unit[-1].isalpha() and _GOES_ON.match(after, len(unit))):
            return unit
    return None


def _unit_before(text: str, start: int, units: Mapping[str, Fraction]) -> str | None:
    before = text[max(0, start - 40) : start].rstrip(_SPACES + "\\")
    return next(
        (unit for unit in sorted(units, key=len, reverse=True) if before.endswith(unit) and not unit.isalpha()), None
    )
