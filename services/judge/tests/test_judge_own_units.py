"""Test that numbers with units that the evaluator's parameters define are read like numbers with known units."""

from fractions import Fraction

import pytest

from judge.domain.final_number import read
from judge.domain.number_reading import NumberOptions
from judge.domain.numbers import numbers

UNITS = {"apples": Fraction(1), "km": Fraction(1000), "km/h": Fraction(1), "%": Fraction(1, 100)}


@pytest.mark.parametrize("text", ["5 apples", "5apples", "5 \\apples", "5 km/h", "$5 apples", "5%"])
def test_text_and_end_of_a_number_include_its_own_unit(text: str) -> None:
    [found] = numbers(f"{text} or so", units=UNITS)
    assert (found.text, found.end) == (text, len(text))


@pytest.mark.parametrize(
    ("text", "shape", "values"),
    [
        ("5 apples to 7 apples", "range", ["5", "7"]),
        ("Between 5 km and 7 km", "range", ["5000", "7000"]),
        ("5 apples, 6 apples and 7 apples", "list", ["5", "6", "7"]),
        ("42 % is wrong", "none", []),
    ],
)
def test_range_list_and_denial_are_read_with_own_units(text: str, shape: str, values: list[str]) -> None:
    reading = read(text, NumberOptions(units=UNITS))
    assert (reading.shape, [str(number.value) for number in reading.values]) == (shape, values)
