"""Find all numbers of a text, in order. Numbers in words count only if the text has none in digits."""

from dataclasses import replace
from fractions import Fraction

from judge.domain.number_patterns import BOUND, COMPOUND_JOINT
from judge.domain.number_reading import NumberOptions
from judge.domain.numbers import Number, numbers, with_words
from judge.domain.plain_text import plain
from judge.domain.thoughts import without_thoughts


def split_list(number: Number) -> list[Number]:
    """Return the members of a number that may be a list, such as "3,5". For any other number, return a list that has
    only this number."""
    parts = number.text.split(",")
    if len(parts) < 2 or number.unit or number.percent or not all(part.strip().isdigit() for part in parts):
        return [number]
    return [Number(value=Fraction(int(part)), text=part.strip(), start=number.start, end=number.end) for part in parts]


def all_numbers(text: str, options: NumberOptions) -> list[Number]:
    """Return every number of a model's text, which is normalised first. Reasoning between tags such as `<think>` is
    ignored."""
    return numbers_of(plain(without_thoughts(text)), options)


def numbers_of(text: str, options: NumberOptions) -> list[Number]:
    found = list(numbers(text, decimal_comma=options.decimal_comma, units=options.units))
    return [_bounded(text, number) for number in _compounds(text, found or with_words(text))]


def _bounded(text: str, number: Number) -> Number:
    found = BOUND.search(text[max(0, number.start - 20) : number.start])
    if found is None:
        return number
    return replace(number, bound="more" if found["more"] or found["above"] else "less")


def _compounds(text: str, found: list[Number]) -> list[Number]:
    """Join a number and a smaller unit after it, as in "3 hours and 30 minutes", into one number in the larger unit."""
    joined: list[Number] = []
    for number in found:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.unit is not None
            and number.unit is not None
            and last.unit.kind == number.unit.kind
            and last.unit.factor > number.unit.factor
            and COMPOUND_JOINT.match(text[last.end : min(number.start, last.end + 8)])
            and number.start <= last.end + 6
        ):
            more = number.value * number.unit.factor / last.unit.factor
            joined[-1] = replace(last, value=last.value + more, text=text[last.start : number.end], end=number.end)
        else:
            joined.append(number)
    return joined
