"""Compare the value that was read from an answer with the value of a reference. Units are converted, and 50 % equals
0.5. The order of a list matters only if the reference is in brackets, such as "(1, 2)" (see `Reading.ordered`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from judge.domain.number_reading import Reading
from judge.domain.numbers import Number
from judge.domain.units import UNITS, Unit


@dataclass(frozen=True, kw_only=True)
class NumberRules:
    """The tolerance of a comparison, and the known units.

    The larger one of `abs_tolerance` and `rel_tolerance` counts; the latter is a share of the expected value. `units`
    maps the units of the evaluator's parameters to their factors. `asked_unit` is the unit that the question asks for;
    a reference without a unit is taken to have it. `counted` is true if the question asks for a count: then 72 differs
    from 72 %.
    """

    abs_tolerance: Fraction = Fraction(0)
    rel_tolerance: Fraction = Fraction(0)
    units: Mapping[str, Fraction] = field(default_factory=dict)
    asked_unit: Unit | None = None
    counted: bool = False

    def margin(self, expected: Fraction) -> Fraction:
        return max(self.abs_tolerance, self.rel_tolerance * abs(expected))


def same(answer: Reading, reference: Reading, rules: NumberRules) -> bool:
    if reference.shape in ("number", "date") and answer.shape in ("number", "date") and answer.shape != reference.shape:
        return _year_of_a_date(answer.values[0], reference.values[0])
    if answer.shape == "time" and reference.shape == "number":
        return _hour_of_a_time(answer.values[0], reference.values[0])
    if answer.shape != reference.shape or len(answer.values) != len(reference.values):
        return False
    pairs = list(zip(answer.values, reference.values, strict=True))
    if reference.shape == "list" and not reference.ordered:
        return _same_in_any_order(answer.values, reference.values, rules)
    return all(near(actual, expected, rules) for actual, expected in pairs)


def near(answer: Number, expected: Number, rules: NumberRules) -> bool:
    if answer.bound != expected.bound:
        return False  # "more than 5" differs from 5, "the 1960s" from 1960
    if answer.kind != "number" or expected.kind != "number":
        return answer.kind == expected.kind and _same_moment(answer, expected)
    if rules.units:
        actual, other = in_own_unit(answer, rules.units), in_own_unit(expected, rules.units)
        if actual is None or other is None:
            return False
        return abs(actual.value - other.value) <= rules.margin(other.value)
    if answer.percent != expected.percent:
        return _near_as_percentage(answer, expected, rules)
    unit = expected.unit or rules.asked_unit
    if answer.unit is not None and unit is not None and not expected.percent:
        if answer.unit.kind != unit.kind:
            return False
        here = answer.value * answer.unit.factor / unit.factor
        return abs(here - expected.value) <= rules.margin(expected.value)
    return abs(answer.value - expected.value) <= rules.margin(expected.value)


def in_own_unit(number: Number, units: Mapping[str, Fraction]) -> Number | None:
    """Convert a number with a standard unit to the scale of `units`, which maps the user's own units to their factors.

    Return `None` if none of `units` measures the same quantity, such as length. A number without a unit, or with one
    of `units`, is returned unchanged.
    """
    if number.own_unit is not None or number.unit is None:
        return number
    for name, factor in units.items():
        known = UNITS.get(name)
        if known is not None and known.kind == number.unit.kind:
            return replace(number, value=number.value * number.unit.factor / known.factor * factor, own_unit=name)
    return None


def _near_as_percentage(answer: Number, expected: Number, rules: NumberRules) -> bool:
    if abs(answer.value - expected.value) <= rules.margin(expected.value):
        return True
    # "50" may mean 50 %: a number above 1 without a unit cannot be a share.
    bare = expected if answer.percent else answer
    if rules.counted or bare.unit is not None or abs(bare.value) <= 1:
        return False
    actual = answer.value * (100 if answer.percent else 1)
    other = expected.value * (100 if expected.percent else 1)
    return abs(actual - other) <= rules.margin(other)


def _same_moment(answer: Number, expected: Number) -> bool:
    length = min(len(answer.parts), len(expected.parts))
    if answer.kind == "time":
        padded = [(*moment.parts, 0, 0)[:3] for moment in (answer, expected)]
        return padded[0] == padded[1]
    return answer.parts[-length:] == expected.parts[-length:]


def _year_of_a_date(answer: Number, expected: Number) -> bool:
    """Return whether a date is in the correct year. Only the answer may be more exact than the reference.

    An example is the answer "20 July 1969" for the reference 1969.
    """
    return (
        answer.kind == "date"
        and expected.kind == "number"
        and len(answer.parts) == 3
        and expected.value == answer.parts[0]
    )


def _hour_of_a_time(answer: Number, expected: Number) -> bool:
    """Return whether the answer is a full hour ("7 pm") that equals the number in the reference, which has no am or pm
    ("7")."""
    return (
        len(answer.parts) == 1 and expected.unit is None and expected.value in (answer.parts[0], answer.parts[0] - 12)
    )


def _same_in_any_order(answer: tuple[Number, ...], reference: tuple[Number, ...], rules: NumberRules) -> bool:
    def size(number: Number) -> Fraction:
        return number.value * (number.unit.factor if number.unit else 1)

    ordered = (sorted(answer, key=size), sorted(reference, key=size))
    return all(near(actual, expected, rules) for actual, expected in zip(*ordered, strict=True))
