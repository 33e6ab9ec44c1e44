"""Compare two readings: units are converted, a share equals its percentage, a list has no order."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from judge.domain.number_reading import Reading
from judge.domain.numbers import Number
from judge.domain.units import UNITS, Unit


@dataclass(frozen=True, kw_only=True)
class Measure:
    """The tolerance of a comparison, and the units that it knows.

    `asked` is the unit that the question asks for; a reference without a unit is taken to have it. `counted` says that
    the question asks for a count, so that 72 differs from 72 %.
    """

    abs_tolerance: Fraction = Fraction(0)
    rel_tolerance: Fraction = Fraction(0)
    units: Mapping[str, Fraction] = field(default_factory=dict)
    asked: Unit | None = None
    counted: bool = False

    def margin(self, right: Fraction) -> Fraction:
        return max(self.abs_tolerance, self.rel_tolerance * abs(right))


def same(answer: Reading, reference: Reading, measure: Measure) -> bool:
    if reference.shape in ("number", "date") and answer.shape in ("number", "date") and answer.shape != reference.shape:
        return _year_of_a_date(answer.values[0], reference.values[0])
    if answer.shape != reference.shape or len(answer.values) != len(reference.values):
        return False
    pairs = list(zip(answer.values, reference.values, strict=True))
    if reference.shape == "list" and not reference.ordered:
        return _same_in_any_order(answer.values, reference.values, measure)
    return all(near(mine, right, measure) for mine, right in pairs)


def near(answer: Number, right: Number, measure: Measure) -> bool:
    if answer.bound != right.bound:
        return False  # "more than 5" differs from 5, "the 1960s" from 1960
    if answer.kind != "number" or right.kind != "number":
        return answer.kind == right.kind and _same_moment(answer, right)
    if measure.units:
        mine, other = in_own_unit(answer, measure.units), in_own_unit(right, measure.units)
        if mine is None or other is None:
            return False
        return abs(mine.value - other.value) <= measure.margin(other.value)
    if answer.percent != right.percent:
        return _near_as_percentage(answer, right, measure)
    unit = right.unit or measure.asked
    if answer.unit is not None and unit is not None and not right.percent:
        if answer.unit.kind != unit.kind:
            return False
        here = answer.value * answer.unit.factor / unit.factor
        return abs(here - right.value) <= measure.margin(right.value)
    return abs(answer.value - right.value) <= measure.margin(right.value)


def in_own_unit(number: Number, units: Mapping[str, Fraction]) -> Number | None:
    """Return the number in the base unit of the parameters; None if its unit cannot be converted."""
    if number.own_unit is not None or number.unit is None:
        return number
    for name, factor in units.items():
        known = UNITS.get(name)
        if known is not None and known.kind == number.unit.kind:
            return replace(number, value=number.value * number.unit.factor / known.factor * factor, own_unit=name)
    return None


def _near_as_percentage(answer: Number, right: Number, measure: Measure) -> bool:
    if abs(answer.value - right.value) <= measure.margin(right.value):
        return True
    # "50" may mean 50 %: a number above 1 without a unit cannot be a share.
    bare = right if answer.percent else answer
    if measure.counted or bare.unit is not None or abs(bare.value) <= 1:
        return False
    mine = answer.value * (100 if answer.percent else 1)
    other = right.value * (100 if right.percent else 1)
    return abs(mine - other) <= measure.margin(other)


def _same_moment(answer: Number, right: Number) -> bool:
    length = min(len(answer.parts), len(right.parts))
    if answer.kind == "time":
        padded = [(*moment.parts, 0)[:3] for moment in (answer, right)]
        return padded[0] == padded[1]
    return answer.parts[-length:] == right.parts[-length:]


def _year_of_a_date(answer: Number, right: Number) -> bool:
    """Return whether a date is in the correct year. Only the answer may be more exact than the reference.

    An example is the answer "20 July 1969" for the reference 1969.
    """
    return (
        answer.kind == "date" and right.kind == "number" and len(answer.parts) == 3 and right.value == answer.parts[0]
    )


def _same_in_any_order(answer: tuple[Number, ...], reference: tuple[Number, ...], measure: Measure) -> bool:
    def size(number: Number) -> Fraction:
        return number.value * (number.unit.factor if number.unit else 1)

    ordered = (sorted(answer, key=size), sorted(reference, key=size))
    return all(near(mine, right, measure) for mine, right in zip(*ordered, strict=True))
