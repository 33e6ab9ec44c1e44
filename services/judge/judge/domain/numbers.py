"""Find the numbers, dates and times in prose, with their percent signs, currencies and units.

The input is text that `judge.domain.plain_text.plain` has normalised. The time is linear in its length.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Required, TypedDict

from judge.domain.number_words import number_words
from judge.domain.units import CURRENCIES, UNITS, Unit, unit_after

LONGEST_DIGITS = 400
"""The maximum number of digits of a number, and approximately of a power's value. Anything longer is not read as a
number.

Scientific notation (1e9) is limited to three exponent digits instead.
"""

Kind = Literal["number", "date", "time"]


@dataclass(frozen=True, kw_only=True)
class Number:
    """A number, date or time in a text, from the index `start` to the index `end`.

    `value` is in the known unit `unit`, or has no unit if that is `None`. If `percent` is true, `value` is a share:
    50 % is 1/2. `own_unit` is a unit that the evaluator's parameters define; `value` is then already multiplied by its
    factor.

    A date or time has the value 0. Its numbers are in `parts`: year, month and day, or hours, minutes and seconds, as
    far as the text gives them. An ambiguous date such as 1/2/2020 has them in the order of the text.
    """

    value: Fraction
    text: str
    start: int
    end: int
    kind: Kind = "number"
    parts: tuple[int, ...] = ()
    percent: bool = False
    unit: Unit | None = None
    own_unit: str | None = None
    ordinal: bool = False
    worded: bool = False
    bound: str = ""
    """The meaning of a qualified number: "more" (than 5), "less" (than 5) or "decade" (the 1960s); else empty."""


_LETTER = "A-Za-z_\u00c0-\u024f\u0370-\u03ff"
_MONTH = (
    # Months begin with a capital: "24 may be enough" has no month.
    "(?-i:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    "Nov(?:ember)?|Dec(?:ember)?)"
)
_MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_TOKEN = re.compile(
    rf"(?<![{_LETTER}\d.,/])(?:"
    r"(?P<iso>\d{4}-\d{1,2}-\d{1,2}(?![\d/-]))"
    r"|(?P<slashed>\d{1,4}[/.]\d{1,2}[/.]\d{2,4}(?![\d/.]|,\d))"
    rf"|(?P<dayfirst>\d{{1,2}}(?:st|nd|rd|th)?(?:\s(?:of\s)?|\.\s?)(?:{_MONTH})\b\.?(?:,?\s\d{{4}}\b)?)"
    rf"|(?P<monthfirst>(?<!in\s)(?:{_MONTH})\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b(?![\d.,]\d\d\d?\b)(?:,?\s\d{{4}}\b)?)"
    r"|(?P<clock>\d{1,3}:\d{1,2}(?::\d{2})?(?!\d|:\d)(?:\s?[ap]\.?m\b)?|(?:\d{1,2}\.[0-5]\d|0?[1-9]|1[0-2])\s?[ap]\.?m\b)"
    r")"
    rf"|(?<![{_LETTER}])(?:"
    rf"(?:(?<![\w)\]}}%])(?P<sign>[+-])\s?(?=[{CURRENCIES}]|(?<!\s)[\d.]))?"
    rf"(?:(?P<currency>[{CURRENCIES}])\s?(?P<inner>-)?)?"
    r"(?P<blob>(?<!\d)(?<!\d[.,])\d+(?:[.,]\d+)*|(?<![\d.,])\.\d+)"
    r")",
    re.IGNORECASE,
)
_GROUPS = re.compile(r"(?:[ _'\u00a0\u2009\u202f]\d{3})+(?!\d)(?:[.,]\d+(?![\d,]))?")
_EXPONENT = re.compile(r"e([+-]?\d{1,3})(?!\w)", re.IGNORECASE)
_TIMES_TEN = re.compile(r"\s?[×x*]\s?10\s?(?:\^|\*\*)\s?\(?\s?([+-]?\d{1,4})\s?\)?", re.IGNORECASE)
_POWER = re.compile(r"\s?(?:\^|\*\*)\s?\(?\s?([+-]?\d{1,4})\s?\)?")
_TOWER = re.compile(r"(?:\s?(?:\^|\*\*)\s?[({]?\s?[+-]?\d*[)}]?)+")
_OVER = re.compile(r"\s?/\s?(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\d/])")
_MIXED = re.compile(r"(?:\s|-|\sand\s|\s\+\s)(\d{1,4})\s?/\s?(\d{1,4})(?![\d/.,]\d|\d|/)")
_PERCENT = re.compile(
    r"\s?(?:%|percent\b|per\scent\b|prozent\b|pour\scent\b|por\sciento\b|per\scento\b|pct\b|процент)", re.IGNORECASE
)
_MAGNITUDES = {
    "thousand": 3, "thousands": 3, "million": 6, "millions": 6, "billion": 9, "billions": 9, "bn": 9, "trillion": 12,
    "trillions": 12, "mio": 6, "mrd": 9, "tausend": 3, "millionen": 6, "milliarden": 9, "milliarde": 9, "mille": 3,
    "milliards": 9, "milliard": 9, "mil": 3, "millones": 6, "millón": 6, "lakh": 5, "lakhs": 5, "crore": 7,
    "crores": 7, "dozen": 0, "万": 4, "亿": 8, "千": 3, "萬": 4, "億": 8, "k": 3, "m": 6, "b": 9, "hundred": 2,
}  # fmt: skip
_MAGNITUDE = re.compile(
    r"[\s-]?(thousands?|millions?|billions?|bn|trillions?|mio|mrd|tausend|millionen|milliarden?|milliards?|mille|mil|"
    r"millones|millón|lakhs?|crores?|dozen|hundred)\b\.?|\s?([万亿千萬億])|([kKMB])\b(?!/)",
    re.IGNORECASE,
)
_EURO_AFTER = re.compile(r"\s?(?:€|euros?\b)", re.IGNORECASE)
_DECADE = re.compile(r"[12]\d\d0s\b")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)


def numbers(text: str, *, decimal_comma: bool = False, units: Mapping[str, Fraction] | None = None) -> Iterator[Number]:
    """Yield the numbers, dates and times that a normalised text has in digits, in order.

    Digits after a letter ("H2O") and numbers longer than `LONGEST_DIGITS` are skipped. `decimal_comma` says that the
    comma in "1,234" is a decimal sign. `units` maps the user's own units to their factors.
    """
    position = 0
    while found := _TOKEN.search(text, position):
        parsed, end = _read(text, found, decimal_comma, units or {})
        yield from parsed
        position = max(end, found.end())


def with_words(text: str) -> list[Number]:
    """Return the numbers that are written in words, with their units, in order."""
    found = []
    for start, end, value in number_words(text):
        percent, stop = _percent(text, end)
        unit, stop = (None, stop) if percent else unit_after(text, end)
        found.append(
            Number(
                value=value / 100 if percent else value,
                text=text[start:stop],
                start=start,
                end=stop,
                percent=percent,
                unit=unit,
                worded=True,
            )
        )
    return found


def _read(
    text: str, found: re.Match[str], decimal_comma: bool, units: Mapping[str, Fraction]
) -> tuple[list[Number], int]:
    # An alternative's named group is the last one that it captures.
    if found.lastgroup is not None and found.lastgroup != "blob":
        return _moment(found.lastgroup, found)
    blob, end = found["blob"], found.end()
    # In "70.000 €" the point groups thousands.
    values = _values(blob, decimal_comma or bool(_EURO_AFTER.match(text, end) and blob.endswith("000")))
    if len(values) == 1 and blob.isdigit() and len(blob) <= 3 and (more := _GROUPS.match(text, end)):
        grouped = _values(re.sub(r"[^\d.,]", "", blob + more[0]), decimal_comma, grouped=True)
        if grouped:
            values, end = grouped, more.end()
    if len(values) > 1:
        return _several(blob, found.start("blob"), values), end
    if not values:
        return [], end
    integer = blob.isdigit() or values[0].denominator == 1
    value, end = _apply_notation(text, values[0], end, integer)
    if value is None:
        return [], end
    if found["sign"] == "-" or found["inner"]:
        value = -value
    start = found.start()
    details = _with_unit(text, value, (start, end), UNITS.get(found["currency"] or ""), units)
    return [Number(text=text[start : details["end"]].strip(), start=start, **details)], details["end"]


def _several(blob: str, start: int, values: list[Fraction]) -> list[Number]:
    """Return the members of a list that is written without spaces ("10,20,30")."""
    parsed = []
    for part, value in zip(re.finditer(r"[^,]+", blob), values, strict=True):
        parsed.append(Number(value=value, text=part[0], start=start + part.start(), end=start + part.end()))
    return parsed


def _apply_notation(text: str, value: Fraction, end: int, integer: bool) -> tuple[Fraction | None, int]:
    """Apply the exponent, power or fraction that follows `value` at `end`. Return the new value and the position after
    it.

    The value is `None` if it is too large, undefined (0^-1), or a tower of powers (2^2^1).
    """
    if found := _EXPONENT.match(text, end):
        return value * Fraction(10) ** int(found[1]), found.end()
    if found := _TIMES_TEN.match(text, end):
        power = int(found[1])
        return (value * Fraction(10) ** power if abs(power) <= LONGEST_DIGITS else None), found.end()
    if found := _POWER.match(text, end):
        power = int(found[1])
        size = max(len(str(value.numerator)), len(str(value.denominator)))
        if tower := _TOWER.match(text, found.end()):
            return None, tower.end()
        if abs(power) * size > LONGEST_DIGITS or (value == 0 and power <= 0):
            return None, found.end()
        return value**power, found.end()
    if integer and (found := _MIXED.match(text, end)) and 0 < int(found[1]) < int(found[2]):
        return value + Fraction(int(found[1]), int(found[2])), found.end()
    if found := _OVER.match(text, end):
        denominator = Fraction(found[1].replace(",", "")) if len(found[1]) <= LONGEST_DIGITS else Fraction(0)
        if denominator:
            return value / denominator, found.end()
    return value, end


class _Details(TypedDict, total=False):
    """The fields of a `Number` that depend on the text before and after its digits."""

    value: Required[Fraction]
    end: Required[int]
    percent: bool
    unit: Unit | None
    own_unit: str
    ordinal: bool
    bound: str


def _with_unit(
    text: str, value: Fraction, place: tuple[int, int], currency: Unit | None, units: Mapping[str, Fraction]
) -> _Details:
    start, end = place
    own, stop = _own_unit_after(text, end, units)
    own = own or _own_unit_before(text, start, units)
    if own:
        return {"value": value * units[own], "own_unit": own, "end": stop}
    percent, stop = _percent(text, end)
    if percent:
        return {"value": value / 100, "percent": True, "end": stop}
    if found := _MAGNITUDE.match(text, end):
        word = (found[1] or found[2] or found[3]).lower().rstrip(".")
        short = found[3] is not None
        # "5m" is five metres, "$5m" five million.
        if not short or found[3] in "kK" or found[3] == "B" or (found[3] in "Mm" and (currency or found[3] == "M")):
            times = 12 if word == "dozen" else 10 ** _MAGNITUDES[word]
            value, end = value * times, found.end()
    if _DECADE.match(text, start):
        return {"value": value, "bound": "decade", "end": end + 1}
    if _ORDINAL.match(text, end):
        return {"value": value, "ordinal": True, "end": end + 2}
    unit, stop = unit_after(text, end)
    return {"value": value, "unit": currency or unit, "end": stop if unit else end}


def _percent(text: str, end: int) -> tuple[bool, int]:
    found = _PERCENT.match(text, end)
    return (True, found.end()) if found else (False, end)


def _values(blob: str, decimal_comma: bool, *, grouped: bool = False) -> list[Fraction]:
    """Return the values of digits with separators: several for a list without spaces ("10,20,30"), none for a version
    number, else one."""
    if len(blob) > LONGEST_DIGITS:
        return []
    dots, commas = blob.count("."), blob.count(",")
    if dots and commas:
        return _with_both(blob, dots, commas)
    if commas:
        parts = blob.split(",")
        if grouped or (commas == 1 and (decimal_comma or len(parts[1]) != 3 or parts[0] == "0")):
            return [Fraction(blob.replace(",", "."))] if commas == 1 else []
        if _in_thousands(parts) or _in_lakhs(parts):
            return [Fraction(blob.replace(",", ""))]
        return [Fraction(part) for part in parts]
    if dots:
        parts = blob.split(".")
        if dots == 1:
            is_integer = decimal_comma and not grouped and _in_thousands(parts)
            return [Fraction(blob.replace(".", "") if is_integer else f"0{blob}")]
        return [Fraction("".join(parts))] if _in_thousands(parts) else []
    return [Fraction(int(blob))]


def _with_both(blob: str, dots: int, commas: int) -> list[Fraction]:
    last = max(blob.rfind("."), blob.rfind(","))
    point = blob[last]
    group = "," if point == "." else "."
    if blob.count(point) == 1 and _in_thousands(blob[:last].split(group)):
        return [Fraction(blob[:last].replace(group, "") + "." + blob[last + 1 :])]
    if all(part.count(".") <= 1 and part.strip(".") == part for part in blob.split(",")):
        return [Fraction(part) for part in blob.split(",")]
    return []


def _in_thousands(parts: list[str]) -> bool:
    return 1 <= len(parts[0]) <= 3 and all(len(part) == 3 for part in parts[1:])


def _in_lakhs(parts: list[str]) -> bool:
    return (
        len(parts) > 2
        and 1 <= len(parts[0]) <= 2
        and len(parts[-1]) == 3
        and all(len(part) == 2 for part in parts[1:-1])
    )


def _moment(name: str, found: re.Match[str]) -> tuple[list[Number], int]:
    written = found[name]
    digits = [int(part) for part in re.findall(r"\d+", written)]
    kind: Kind = "time" if name == "clock" else "date"
    if name == "clock":
        hours = digits[0] % 12 + 12 * ("p" in written.lower()) if "m" in written.lower() else digits[0]
        parts = (hours, *digits[1:])
    elif name in ("dayfirst", "monthfirst"):
        month = re.search(_MONTH, written, re.IGNORECASE)
        assert month is not None
        parts = (*digits[1:2], _MONTHS[month[0][:3].lower()], digits[0])
    else:
        parts = tuple(digits)
        if name == "slashed" and parts[0] < 32 and max(parts[0], parts[1]) > 12:
            day, other = max(parts[:2]), min(parts[:2])
            parts = (parts[2], other, day)
    number = Number(value=Fraction(0), text=written, start=found.start(), end=found.end(), kind=kind, parts=parts)
    return [number], found.end()


def _own_unit_after(text: str, end: int, units: Mapping[str, Fraction]) -> tuple[str | None, int]:
    """Return the user's own unit after a number that ends at the index `end`, and the index where the unit ends.

    Without such a unit, return `None` and `end`.
    """
    if not units:
        return None, end
    window = text[end : end + 40]
    after = window.lstrip(" \\")
    # The longest unit first: "km/h" before "km".
    for unit in sorted(units, key=len, reverse=True):
        if after.startswith(unit) and not (unit[-1].isalpha() and _GOES_ON.match(after, len(unit))):
            return unit, end + len(window) - len(after) + len(unit)
    return None, end


# "m" in "metres", "m^2" and "m/s" is part of another unit.
_GOES_ON = re.compile(r"[^\W\d_]|\^|/[^\W\d_]")


def _own_unit_before(text: str, start: int, units: Mapping[str, Fraction]) -> str | None:
    if not units:
        return None
    before = text[max(0, start - 40) : start + 1].rstrip(" \\")
    return next(
        (
            unit
            for unit in sorted(units, key=len, reverse=True)
            if not unit.isalpha()
            and (before.endswith(unit) or text[max(0, start - 40) : start].rstrip().endswith(unit))
        ),
        None,
    )
