"""Read the value that a complete text or a single statement gives."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from judge.domain.denied_number import is_denied, is_denied_after
from judge.domain.moment_asked import asks_when, moment_asked, without_its_year
from judge.domain.number_patterns import (
    A_TIME,
    ABOUT,
    ADVERBIAL,
    AFTER_OPERATOR,
    AND_CLAUSE,
    BEFORE_OPERATOR,
    BETWEEN,
    BUT_REALLY,
    BY_SPACES,
    COPULA,
    COUNTED,
    FROM,
    GOES_ON_AS_SUBJECT,
    LABEL,
    LAST_OF_CALCULATION,
    LIST_JOINT,
    MAYBE,
    OR,
    OR_SO,
    PLUS_MINUS,
    RANGE_JOINT,
    REASONS,
    RESTATES,
    SENTENCE,
    SO,
    SUBORDINATE,
    TOTAL_OF,
    WORD_BEFORE,
)
from judge.domain.number_reading import HEDGED, NOTHING, NumberOptions, Reading
from judge.domain.numbers import Number, with_words
from judge.domain.numbers_of_text import numbers_of
from judge.domain.question_words import asked_words, content_words
from judge.domain.units import unit_asked

_LONGEST_STATEMENT = 2_500


def sentences_of(text: str) -> Iterator[str]:
    start = 0
    for found in SENTENCE.finditer(text):
        yield text[start : found.start()]
        start = found.end()
    yield text[start:]


# --- a complete text, and a single statement ------------------------------------------------------------------------


def read_complete(text: str, options: NumberOptions) -> Reading | None:
    """Return the value of a text that is only a value, perhaps with "about" before it and a few words after it.

    Return `None` for any other text, and for a text of more than 2,000 characters.
    """
    text = text.strip().strip("\"'`“”*_ ")
    if len(text) > 2_000 or "∞" in text:
        return None
    ordered = text[:1] in "([" and text[-1:] in ")]"
    found = numbers_of(text, options)
    if not found or not ABOUT.match(text[: found[0].start]):
        return None
    rest = text[found[-1].end :]
    if len(found) == 1:
        if not is_label(rest) or is_denied_after(text, found[0], options):
            return None
        if text[: found[0].start].rstrip().endswith("±"):
            return Reading(shape="list", values=(replace(found[0], value=-found[0].value), found[0]), rule="both signs")
        return _single(found[0], "whole text")
    if len(found) > 200:
        return None
    gaps = [text[left.end : right.start] for left, right in pairwise(found)]
    if len(found) == 2 and _is_range(text, found, gaps[0]) and is_label(rest):
        return Reading(shape="range", values=_with_shared_percent(found), rule="whole text")
    if BY_SPACES.fullmatch(text):
        return Reading(shape="list", values=tuple(found), rule="whole text")
    if all(LIST_JOINT.match(gap) for gap in gaps) and is_label(rest):
        return Reading(shape="list", values=tuple(found), rule="whole text", ordered=ordered)
    return None


def is_label(rest: str) -> bool:
    """Return whether `rest`, the text after a number, is empty or only labels the number, as "red apples" does."""
    rest = rest.strip(" \t\n.,;:!?*_)]}\"'`")
    words = rest.split()
    return (
        len(words) <= 3
        and "\n" not in rest
        and not re.search(r"[.:;=(]|[-+×*/^±]\s*\w|\b(?:or|but|not|because)\b", rest)
    )


def _single(number: Number, rule: str, *, sure: bool = True) -> Reading:
    return Reading(shape=number.kind, values=(number,), rule=rule, sure=sure)


def _is_range(text: str, pair: Sequence[Number], gap: str) -> bool:
    low, high = pair
    if low.kind != "number" or high.kind != "number" or not RANGE_JOINT.match(gap):
        return False
    joint = gap.strip(" $€£").lower()
    if joint == "and" and not BETWEEN.search(text[max(0, low.start - 20) : low.start]):
        return False
    if joint == "a" and not BETWEEN.search(text[max(0, low.start - 20) : low.start]):
        return False
    low, high = _with_shared_percent(pair)
    # "5 - 12" is a subtraction, "5-12" and "5 to 12" are ranges.
    return low.value < high.value and not (joint == "-" and gap.startswith(" ") and gap.endswith(" "))


def _with_shared_percent(pair: Sequence[Number]) -> tuple[Number, ...]:
    """Return both ends of a range as percentages if only the last one has the sign: "10-15%"."""
    low, high = pair
    if high.percent and not low.percent and low.unit is None and low.kind == "number":
        low = replace(low, value=low.value / 100, percent=True)
    return (low, high)


def bounded_part(statement: str) -> str:
    """Return only the beginning and end of a long statement, because later steps compare all pairs of its numbers."""
    if len(statement) <= _LONGEST_STATEMENT:
        return statement
    return statement[: _LONGEST_STATEMENT // 2] + " … " + statement[-_LONGEST_STATEMENT // 2 :]


def read_statement(text: str, options: NumberOptions, *, first: bool) -> Reading:
    """Return the value that one statement gives; `NOTHING` if it gives none, `HEDGED` if it leaves several open.

    `first` says that `text` follows a marker such as "the answer is": of several equally good values, the first counts.
    """
    text = bounded_part(text)
    reading = _read_statement(text, options, first=first)
    return _in_asked_unit(text, reading, options) if reading.shape == "number" else reading


def _in_asked_unit(text: str, reading: Reading, options: NumberOptions) -> Reading:
    """Return the value in brackets if it is in the unit asked for ("26 miles (42 km)"), else `reading`."""
    number, asked_unit = reading.values[0], unit_asked(options.question)
    if asked_unit is None or number.unit is None or number.unit == asked_unit or number.unit.kind != asked_unit.kind:
        return reading
    rest = numbers_of(text[number.end : number.end + 40], options)
    before = text[number.end : number.end + (rest[0].start if rest else 0)]
    if (
        rest
        and rest[0].unit == asked_unit
        and re.fullmatch(r"\s?[(,=≈]\s?(?:or\s|i\.e\.,?\s|about\s|≈\s?){0,2}", before)
    ):
        return replace(reading, values=(rest[0],))
    return reading


def _read_statement(text: str, options: NumberOptions, *, first: bool) -> Reading:
    found = numbers_of(text, options)
    if not found or "∞" in text:
        return NOTHING
    found = _worded_before_brackets(text, found) or found
    if any(number.worded for number in found):
        found = _without_pronouns(text, found)
    found = [number for number in found if not is_denied(text, number, options)]
    found = [number for number in found if not PLUS_MINUS.search(text[: number.start][-4:])] or found
    if not found:
        return NOTHING
    if len(found) == 1:
        return NOTHING if is_unfinished(text, found) else _single(found[0], "only number")
    exact, rounded = _rounded_after(text, found)
    if rounded is not None:
        return replace(_statement_of(text, exact, options, first=first), rounded=rounded)
    return _statement_of(text, found, options, first=first)


def _statement_of(text: str, found: list[Number], options: NumberOptions, *, first: bool) -> Reading:
    if len(found) == 1:
        return _single(found[0], "only number")
    if _open_between(text, found):
        return HEDGED
    found = _without_passed_range(text, found)
    if len(found) == 1:
        return _single(found[0], "only number")
    if moment := moment_asked(text, found, options.question):
        return _single(moment, "statement")
    found = found if asks_when(options.question) else without_its_year(text, found)
    if reading := _series(text, found):
        return reading
    if is_unfinished(text, found):
        return NOTHING
    found = main_numbers(text, found, first=first)
    found = [number for number in found if not _is_in_a_name(text, number, options)] or found
    results = results_of(text, found)
    if results:
        # After an answer marker, the answer in "72 = 48 + 24" is the left side, 72.
        return _single(results[-1], "result")
    found = [number for number in found if not is_operand(text, number)] or found
    free = [number for number in found if not is_adverbial(text, number) and not number.ordinal] or found
    numbers_only = [number for number in free if number.kind == "number"] or free
    if len(numbers_only) == 1:
        return _single(numbers_only[0], "only number")
    if first:
        return _single(numbers_only[0], "first number")
    numbers_only = _where_asked(text, numbers_only, options)
    for copula in COPULA.finditer(text):
        after = [number for number in numbers_only if number.start >= copula.end()]
        between = text[copula.end() : after[0].start] if after else ""
        near = after and len(between.split()) <= 3 and not any(char.isdigit() for char in between)
        if near:
            return _single(after[0], "statement")
    return _single(numbers_only[-1], "last number")


def _without_passed_range(text: str, found: list[Number]) -> list[Number]:
    """Remove a range that only gives the start and the end of a change. "It rose by 25 %, from 80 to 100" keeps 25."""
    for index in range(1, len(found[:200]) - 1):
        low, high = found[index], found[index + 1]
        begins = FROM.search(text[max(0, low.start - 12) : low.start])
        if begins and RANGE_JOINT.match(text[low.end : high.start]):
            return found[:index] + found[index + 2 :]
    return found


def _where_asked(text: str, found: list[Number], options: NumberOptions) -> list[Number]:
    """Return the numbers in the clause that shares the most words with the question; if several do, all of `found`."""
    wanted = asked_words(options.question)
    cuts = [0, *(each.end() for each in AND_CLAUSE.finditer(text)), len(text)]
    if not wanted or len(cuts) < 3:
        return found
    shares = []
    for start, end in pairwise(cuts):
        here = [number for number in found if start <= number.start < end]
        if here:
            clause = COUNTED.sub(" ", text[start:end])
            shares.append((len(wanted & content_words(clause)), here))
    shares.sort(key=lambda each: each[0], reverse=True)
    return shares[0][1] if len(shares) > 1 and shares[0][0] > shares[1][0] else found


def _rounded_after(text: str, found: list[Number]) -> tuple[list[Number], Number | None]:
    """Separate a decimal that only rounds the fraction before it. Return the other numbers, and the decimal or
    `None`."""
    for fraction, decimal in pairwise(found[:200]):
        if "/" not in fraction.text or not RESTATES.fullmatch(text[fraction.end : decimal.start]):
            continue
        if abs(fraction.value - decimal.value) * 50 <= abs(fraction.value) and not is_operand(text, fraction):
            return [number for number in found if number is not decimal], decimal
    return found, None


def _worded_before_brackets(text: str, found: list[Number]) -> list[Number]:
    """Return the numbers in words if all digits are in brackets: 72 for "The total is seventy-two (48 plus 24)"."""
    inside = _bracketed(text)
    if not inside or not all(any(start < number.start < end for start, end in inside) for number in found):
        return []
    return [
        number
        for number in with_words(text)
        if number.worded
        and not any(start < number.start < end for start, end in inside)
        and any(each.end() >= number.start - 1 for each in COPULA.finditer(text[: number.start]))
    ]


def _without_pronouns(text: str, found: list[Number]) -> list[Number]:
    """Remove words such as "one" and "half" where they are not used as numbers."""
    kept = [
        number
        for number in found
        if number.text.lower() not in ("one", "a half", "half", "a third", "a quarter")
        or re.match(r"\W*\Z|\W*[.!,](?:\s|\Z)", text[number.end :])
        or not text[: number.start].strip(" \"'*")
    ]
    return kept


def is_unfinished(text: str, found: Sequence[Number]) -> bool:
    """Return whether `text` ends with an operator or "=" after the last number in `found`, as if it was cut off."""
    return bool(re.search(r"[=+×*÷]\s*\$?\s*\Z", text[found[-1].end :]))


def _open_between(text: str, found: Sequence[Number]) -> bool:
    for left, right in pairwise(found):
        gap = text[left.end : right.start]
        if len(gap) > 80 or left.value == right.value or OR_SO.search(gap):
            continue
        alternative = OR.search(gap) or MAYBE.search(gap)
        same_in_other_words = left.unit is not None and right.unit is not None and left.unit != right.unit
        here, there = A_TIME.match(gap), A_TIME.match(text[right.end : right.end + 12])
        if here and there and here[1].lower() != there[1].lower():
            continue
        if left.percent != right.percent and (left.unit or right.unit):
            continue  # one quantity in two forms: "$70,000, or about 54 %"
        if alternative and LIST_JOINT.match(gap):
            return True  # two solutions: "x = 2 or x = 3"
        if alternative and not same_in_other_words and not re.search(r"[=.?!]", gap):
            return True
    return False


def _series(text: str, found: Sequence[Number]) -> Reading | None:
    """Return the range or the list that is the value of the statement, or `None`."""
    gaps = [text[left.end : right.start] for left, right in pairwise(found)]
    for index, gap in enumerate(gaps):
        pair = found[index : index + 2]
        before = text[max(0, pair[0].start - 12) : pair[0].start]
        if _is_range(text, pair, gap) and not AFTER_OPERATOR.search(before) and "=" not in text:
            return Reading(shape="range", values=_with_shared_percent(pair), rule="range")
    if len(gaps) >= 1 and all(LIST_JOINT.match(gap) and "/" not in gap for gap in gaps) and len(found) <= 200:
        # A list such as "3, 5 and 7".
        return Reading(
            shape="list", values=tuple(found), rule="list", ordered=text[: found[0].start].rstrip().endswith("(")
        )
    return None


def main_numbers(text: str, found: list[Number], *, first: bool) -> list[Number]:
    """Return the numbers `found` outside of side remarks; all if each is in one. `first`: see `read_statement`."""
    if not found:
        return []
    inside = _bracketed(text)
    outer = [number for number in found if not any(start < number.start < end for start, end in inside)]
    found = outer or found
    if clause := SUBORDINATE.match(text):
        found = [number for number in found if number.start >= clause.end()] or found
    if first:
        cut = next((each.start() for each in REASONS.finditer(text) if found[0].end <= each.start()), len(text))
        return [number for number in found if number.end <= cut] or found
    concluding = [each.end() for each in SO.finditer(text) if found[-1].start >= each.end()]
    after = [number for number in found if concluding and number.start >= concluding[-1]]
    # "…, so the train arrives at 12:00" is no conclusion if the other values are numbers.
    if after and (first or any(number.kind == "number" for number in after) or found[0].kind != "number"):
        return after
    if (only := BUT_REALLY.search(text)) and (main := [left for left in found if left.start >= only.end()]):
        return main
    # `places` has the last index of each value, not counting the final number. `furthest[i]` is the maximum of these
    # indexes over the values of found[: i + 1].
    places = {number.value: place for place, number in enumerate(found[:-1])}
    furthest = list(accumulate((places.get(number.value, 0) for number in found), max))
    for reason in REASONS.finditer(text):
        main = found[: bisect_right(found, reason.start(), key=lambda number: number.end)]
        later = bisect_left(found, reason.end(), key=lambda number: number.start)
        if reason[0] == "; " and main and furthest[len(main) - 1] >= later:
            continue  # "She has 9 eggs; 9 × 2 = 18"
        if main and (len(main) > 1 or not is_adverbial(text, main[0])):
            return main
        if main:
            break
    colon = re.search(r":\s", text)
    if colon and len(text[: colon.start()].split()) >= 3:
        main = [number for number in found if number.end <= colon.start() and not is_adverbial(text, number)]
        if main:
            return main
    return found


def _bracketed(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(r"\([^()]{0,300}\)|\[[^\[\]]{0,300}\]", text)]


def results_of(text: str, found: Sequence[Number]) -> list[Number]:
    """Return the results of calculations: the numbers after "=" where the calculation ends."""
    results = []
    for index, number in enumerate(found):
        before = text[found[index - 1].end if index else 0 : number.start]
        after = text[number.end : number.end + 12]
        if LAST_OF_CALCULATION.search(before) and not BEFORE_OPERATOR.match(after) and not re.match(r"\s?[=≈]", after):
            results.append(number)
    return results


def is_operand(text: str, number: Number) -> bool:
    after, before = text[number.end : number.end + 12], text[max(0, number.start - 12) : number.start]
    return bool(BEFORE_OPERATOR.match(after) or AFTER_OPERATOR.search(before) or re.match(r"\s?=", after))


def _is_in_a_name(text: str, number: Number, options: NumberOptions) -> bool:
    """Return whether a number belongs to a name, as in "Apollo 11": the name is in the question, or the number is used
    like a name."""
    if not number.text.isdigit() or len(number.text) > 3:
        return False
    before = WORD_BEFORE.search(text[max(0, number.start - 30) : number.start])
    if before is None or not before[1][0].isupper() or LABEL.fullmatch(before[1]):
        return False
    if f"{before[1]} {number.text}" in options.question[-4_000:]:
        return True
    inside = text[: number.start - len(before[0])].rstrip()
    return bool(inside and inside[-1].isalnum()) or bool(GOES_ON_AS_SUBJECT.match(text, number.end))


def is_adverbial(text: str, number: Number) -> bool:
    before = text[max(0, number.start - 40) : number.start]
    if TOTAL_OF.search(before):
        return False
    return bool(ADVERBIAL.search(before)) or number.kind in ("date", "time")
