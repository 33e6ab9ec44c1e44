"""Read the final answer of a text, if it is a number, a list, a range, a date or a time.

Answers and references are read by the same sequence of rules. If two values are left open ("16 or 18"), nothing is
read.

1. A marker ("####", a box, "the answer is", a JSON key); the last one counts.
2. The complete text.
3. The result of a calculation.
4. A conclusion.
5. An initial statement that is explained afterwards.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from judge.domain.markers import CORRECTION, Marker, markers
from judge.domain.number_patterns import (
    ABOUT,
    ASIDE,
    CHANCE,
    CONCLUDES,
    CONFIRMS,
    ENUMERATOR,
    EXPLAINS,
    HEADING,
    IN_HOW_MANY,
    LIST_JOINT,
    ONLY_BOTH_SIGNS,
    ONLY_CHANCE,
    STILL_GOES_ON,
)
from judge.domain.number_reading import CUT_OFF, HEDGED, NOTHING, Manner, Reading
from judge.domain.number_statement import (
    bounded_part,
    is_adverbial,
    is_label,
    is_operand,
    is_unfinished,
    main_numbers,
    read_statement,
    read_whole,
    results_of,
    sentences_of,
)
from judge.domain.numbers import Number, numbers
from judge.domain.numbers_of_text import apart, numbers_of
from judge.domain.plain_text import plain, without_programs, without_thoughts
from judge.domain.question_words import asked_words, periods

_HEAD, _TAIL = 6_000, 24_000
"""The numbers of characters at both ends of a long text that are searched for an answer without a marker."""


def read(text: str, manner: Manner) -> Reading:
    """Return the final answer of the text."""
    text = _with_chances(without_programs(without_thoughts(text)), manner)
    marked = list(markers(text))
    corrected = _corrected(text, marked, manner)
    if corrected is not None:
        return corrected
    for marker in marked:
        reading = _read_marked(marker, manner)
        if reading is not None:
            return reading
    if len(text) > _HEAD + _TAIL:
        text = text[:_HEAD] + "\n" + text[-_TAIL:]
    return _read_unmarked(plain(text), manner)


def _with_chances(text: str, manner: Manner) -> str:
    """Write "1 in 4" as 1/4 if the question asks for a probability, or the text contains nothing else."""
    if CHANCE.search(manner.question[-4_000:]) or ONLY_CHANCE.fullmatch(text[:40].strip()):
        return IN_HOW_MANY.sub(r"\1/\2", text)
    return text


def read_list(text: str, manner: Manner) -> Reading | None:
    """Return the last list in the text, for a reference that is a list; `None` if there is no list."""
    text = without_thoughts(text)
    for marker in markers(text):
        for extent in marker.contents:
            if reading := _run(plain(extent), manner, marker.rule):
                return reading
    text = plain(text[-_TAIL:])
    if both := _both_signs(text, manner):
        return both
    if reading := _lines_of_list([(line, []) for line in text.split("\n") if line.strip()]):
        return reading
    complete = read_whole(text, manner)
    if complete is not None and complete.shape == "list":
        return complete
    if reading := _lines_of_list([(part, []) for part in sentences_of(text) if part.strip()]):
        return reading
    return _run(text, manner, "list")


def _both_signs(text: str, manner: Manner) -> Reading | None:
    """Read "±2" as -2 and 2."""
    plus_minus = numbers_of(text[:200], manner) if ONLY_BOTH_SIGNS.match(text[:40]) else []
    if len(plus_minus) != 1 or not is_label(text[plus_minus[0].end :][:200]):
        return None
    return Reading(
        shape="list", values=(replace(plus_minus[0], value=-plus_minus[0].value), plus_minus[0]), rule="both signs"
    )


def _run(text: str, manner: Manner, rule: str) -> Reading | None:
    """Return the last run of numbers separated only by commas and "and"."""
    found: list[Number] = []
    for number in numbers(text, decimal_comma=manner.decimal_comma, units=manner.units):
        found += apart(number)
    runs: list[list[Number]] = []
    for number in found:
        last = runs[-1][-1] if runs else None
        if last is not None and (number.start <= last.end + 1 or LIST_JOINT.match(text[last.end : number.start])):
            runs[-1].append(number)
        else:
            runs.append([number])
    runs = [run for run in runs if len(run) > 1]
    return Reading(shape="list", values=tuple(runs[-1][:1_000]), rule=rule, sure=False) if runs else None


def _corrected(text: str, marked: Sequence[Marker], manner: Manner) -> Reading | None:
    """Return the value after "wait", where the model withdraws a marked answer."""
    begin = marked[0].start if marked else 0
    corrections = list(CORRECTION.finditer(text, begin))
    if not corrections:
        return None
    last = corrections[-1]
    rest = text[last.end() : last.end() + _TAIL]
    if CONFIRMS.search(rest[:400]):
        return None
    reading = _read_unmarked(plain(rest), manner)
    if reading.shape == "none" or not _states(plain(rest), reading):
        return None
    return Reading(
        shape=reading.shape, values=reading.values, rule="after a correction", sure=False, ordered=reading.ordered
    )


def _states(text: str, reading: Reading) -> bool:
    before = text[max(0, reading.values[0].start - 60) : reading.values[0].start]
    return bool(re.search(r"(?:is|are|'s|be|equals|=|:|makes|gives|to|\A)\s?\W{0,4}(?:about |actually )?\Z", before))


def _read_marked(marker: Marker, manner: Manner) -> Reading | None:
    """Return the number after the marker, or `None`."""
    for extent in marker.contents:
        text = plain(extent)
        complete = read_whole(text, manner)
        if marker.strict:
            if HEADING.match(text):
                return None
            return complete and _named(complete, marker.rule)
        reading = complete or read_statement(text, manner, first=True)
        if reading.shape != "none" or reading is HEDGED:
            return _named(reading, marker.rule)
    return None


def _named(reading: Reading, rule: str) -> Reading:
    if reading.shape == "none":
        return reading
    return replace(reading, rule=rule, sure=True)


def _read_unmarked(text: str, manner: Manner) -> Reading:
    if complete := read_whole(text, manner):
        return complete
    if manner.which != "answer":
        return _by_place(text, manner)
    sentences = [bounded_part(part) for part in sentences_of(text) if part.strip()]
    known: list[tuple[str, list[Number]]] = [(part, numbers_of(part, manner)) for part in sentences]
    if not any(own_numbers for _, own_numbers in known):
        return NOTHING
    if known[-1][1] and is_unfinished(*known[-1]):
        return CUT_OFF
    if reading := _lines_of_list(known):
        return reading
    chosen = _statement_that_answers(known, manner)
    reading = read_statement(known[chosen][0], manner, first=False)
    hedged = _hedge_between(known)
    if hedged or reading is HEDGED:
        return HEDGED
    if reading.shape != "number":
        return reading
    sure = _is_sure(known, reading)
    return replace(reading, sure=sure)


def _by_place(text: str, manner: Manner) -> Reading:
    counted = [number for number in numbers_of(text, manner) if number.kind == "number"]
    if not counted:
        return NOTHING
    chosen = counted[-1] if manner.which == "last" else counted[0]
    sure = len({number.value for number in counted}) == 1
    return Reading(shape="number", values=(chosen,), rule=f"{manner.which} number", sure=sure)


# --- which of several statements ------------------------------------------------------------------------------------


def _statement_that_answers(known: Sequence[tuple[str, list[Number]]], manner: Manner) -> int:
    """Return the index of the statement whose number answers the question."""
    given = {number.value for number in numbers(plain(manner.question[-4_000:]))}
    question_words = asked_words(manner.question)
    asked_periods = periods(_last_sentence(manner.question))
    with_number = [index for index, (_, own_numbers) in enumerate(known) if own_numbers]
    used: set[Fraction] = set()
    best, best_points = with_number[-1], float("-inf")
    for index in reversed(with_number):
        text, own_numbers = known[index]
        reading = read_statement(text, manner, first=False)
        points = _points(
            text, own_numbers, reading, given=given, wanted=question_words, used=used, asked_periods=asked_periods
        )
        points += 2.0 if index == with_number[-1] else 0
        points += _first_points(text, own_numbers, reading) if index == with_number[0] else 0
        if points > best_points:
            best, best_points = index, points
        used |= {number.value for number in own_numbers if is_operand(text, number)}
    return best


def _last_sentence(question: str) -> str:
    return re.split(r"[.!]\s", question[-1_000:].strip())[-1]


def _points(
    text: str,
    numbers: Sequence[Number],
    reading: Reading,
    *,
    given: set[Fraction],
    wanted: set[str],
    used: set[Fraction],
    asked_periods: set[str],
) -> float:
    points = 0.0
    if reading.shape == "none":
        return -5.0
    if CONCLUDES.search(text) and not ASIDE.fullmatch(text):
        points += 3.0
    if reading.rule == "result":
        points += 0.5
    if EXPLAINS.search(text) or ASIDE.fullmatch(text):
        points -= 3.0
    value = reading.values[0].value if reading.shape == "number" else None
    if value is not None and value in given:
        points -= 1.5
    if value is not None and value in used:
        points -= 2.0
    if asked_periods and (here := periods(text)) and not here & asked_periods:
        points -= 3.0
    if wanted:
        statement_words = asked_words(text, whole=True)
        points += 2.0 * len(wanted & statement_words) / len(wanted)
    if reading.shape in ("date", "time") or all(is_adverbial(text, number) for number in numbers):
        points -= 1.5
    if ENUMERATOR.match(text) and not CONCLUDES.search(text):
        points -= 0.5
    return points


def _first_points(text: str, numbers: Sequence[Number], reading: Reading) -> float:
    """Return how many points the statements get: more for an answer that begins with its number and explains it
    afterwards."""
    if reading.shape != "none" and reading.rule != "result" and numbers and ABOUT.match(text[: numbers[0].start]):
        rest = text[numbers[0].end :]
        return 3.5 if len(rest.split()) <= 3 and not STILL_GOES_ON.search(rest) else 1.0
    return 0.5


def _hedge_between(known: Sequence[tuple[str, list[Number]]]) -> bool:
    """Return whether two statements leave the answer open ("It could be 16. Or it could be 18.")."""
    statements = [(text, own_numbers) for text, own_numbers in known if own_numbers]
    if len(statements) < 2:
        return False
    (_, before), (text, after) = statements[-2:]
    return (
        bool(re.match(r"\W*(?:or|oder|maybe|or maybe|perhaps)\b", text, re.IGNORECASE))
        and before[-1].value != after[0].value
    )


def _lines_of_list(known: Sequence[tuple[str, list[Number]]]) -> Reading | None:
    """Return the list of a text whose every line is one number."""
    if len(known) < 2 or len(known) > 200:
        return None
    values = []
    for text, _ in known:
        bare = ENUMERATOR.sub("", text).strip(" \t.,;*")
        found = list(numbers(bare))
        if len(found) != 1 or found[0].start != 0 or found[0].end != len(bare):
            return None
        values.append(found[0])
    return Reading(shape="list", values=tuple(values), rule="list")


def _is_sure(known: Sequence[tuple[str, list[Number]]], reading: Reading) -> bool:
    """Return whether even a reader who does not know the question would take this number."""
    chosen = reading.values[0].value
    results: list[Fraction] = []
    operands: set[Fraction] = set()
    free: set[Fraction] = set()
    for text, own_numbers in known:
        here = results_of(text, own_numbers)
        results += [number.value for number in here]
        operands |= {number.value for number in own_numbers if is_operand(text, number)}
        free |= {
            number.value
            for number in main_numbers(text, own_numbers, first=False)
            if number not in here and not is_operand(text, number) and not is_adverbial(text, number)
        }
    unused = {value for value in results if value not in operands}
    if unused:
        return unused == {chosen} and free <= operands | set(results)
    return free <= {chosen}
