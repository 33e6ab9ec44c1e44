"""Read the final answer of a text, if it is a number, a list, a range, a date or a time.

Answers and references are read by the same rules. If a text leaves the choice between two values open ("16 or 18"),
nothing is read. The first of these rules that gives a value counts:

1. The text after the last correction ("wait, …"), if no marker follows it.
2. A marker ("####", a box, "the answer is", a JSON key), from the last one backwards.
3. The complete text, if it is nothing but a value, perhaps with a few words after it.
4. The statement with the most points. Points are given for a conclusion, the result of a calculation, the first and
   last position, words in common with the question, and so on.

The user's option "first" or "last" replaces the fourth rule.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from judge.domain.denied_number import answered_by_no
from judge.domain.markers import CORRECTION, Marker, markers
from judge.domain.next_question import without_next_question
from judge.domain.number_patterns import (
    ABOUT,
    ASIDE,
    CHANCE,
    CONCLUDES,
    CONFIDENCE,
    CONFIRMS,
    ENUMERATOR,
    EXPLAINS,
    HEADING,
    IN_HOW_MANY,
    LIST_JOINT,
    NONE_OF_THEM,
    ONLY_BOTH_SIGNS,
    ONLY_CHANCE,
    REFUSES,
    STILL_ANSWERS,
    STILL_GOES_ON,
)
from judge.domain.number_reading import CUT_OFF, HEDGED, NOTHING, NumberOptions, Reading
from judge.domain.number_statement import (
    bounded_part,
    is_adverbial,
    is_label,
    is_operand,
    is_unfinished,
    main_numbers,
    read_complete,
    read_statement,
    results_of,
    sentences_of,
)
from judge.domain.numbers import Number, numbers
from judge.domain.numbers_of_text import numbers_of, split_list
from judge.domain.plain_text import plain, without_programs
from judge.domain.question_words import asked_words, asks_for_a_count, content_words, last_sentence, periods
from judge.domain.thoughts import without_thoughts

_HEAD, _TAIL = 6_000, 24_000
"""The numbers of characters at both ends of a long text that are searched for an answer without a marker."""


def read(text: str, options: NumberOptions) -> Reading:
    """Return the final answer of `text`. The result has the `shape` "none" if nothing was read."""
    text = without_next_question(without_thoughts(text), options.question)
    text = _with_chances(without_programs(text), options)
    marked = list(markers(text))
    corrected = _corrected(text, marked, options)
    if corrected is not None:
        return corrected
    for marker in marked:
        reading = _read_marked(marker, options)
        if reading is not None:
            return reading
    if len(text) > _HEAD + _TAIL:
        text = text[:_HEAD] + "\n" + text[-_TAIL:]
    return _read_unmarked(plain(text), options)


def _with_chances(text: str, options: NumberOptions) -> str:
    """Write "1 in 4" as 1/4 if the question asks for a probability, or the text contains nothing else."""
    if CHANCE.search(options.question[-4_000:]) or ONLY_CHANCE.fullmatch(text[:40].strip()):
        return IN_HOW_MANY.sub(r"\1/\2", text)
    return text


def read_list(text: str, options: NumberOptions) -> Reading | None:
    """Return the last list in `text`, or `None`. It is used instead of `read` if the reference is a list.

    A list after a marker, such as "the answer is", takes precedence.
    """
    text = without_next_question(without_thoughts(text), options.question)
    for marker in markers(text):
        for extent in marker.contents:
            if reading := _last_series(plain(extent), options, marker.rule):
                return reading
    text = plain(text[-_TAIL:])
    if both := _both_signs(text, options):
        return both
    if reading := _lines_of_list([(line, []) for line in text.split("\n") if line.strip()]):
        return reading
    complete = read_complete(text, options)
    if complete is not None and complete.shape == "list":
        return complete
    if reading := _lines_of_list([(part, []) for part in sentences_of(text) if part.strip()]):
        return reading
    return _last_series(text, options, "list")


def _both_signs(text: str, options: NumberOptions) -> Reading | None:
    """Read "±2" as -2 and 2. Return `None` for any other text."""
    found = numbers_of(text[:200], options) if ONLY_BOTH_SIGNS.match(text[:40]) else []
    if len(found) != 1 or not is_label(text[found[0].end :][:200]):
        return None
    return Reading(shape="list", values=(replace(found[0], value=-found[0].value), found[0]), rule="both signs")


def _last_series(text: str, options: NumberOptions, rule: str) -> Reading | None:
    """Return the last series of numbers with only commas and "and" between them; `None` if there is none."""
    found: list[Number] = []
    for number in numbers(text, decimal_comma=options.decimal_comma, units=options.units):
        found += split_list(number)
    runs: list[list[Number]] = []
    for number in found:
        last = runs[-1][-1] if runs else None
        if last is not None and (number.start <= last.end + 1 or LIST_JOINT.match(text[last.end : number.start])):
            runs[-1].append(number)
        else:
            runs.append([number])
    runs = [run for run in runs if len(run) > 1]
    return Reading(shape="list", values=tuple(runs[-1][:1_000]), rule=rule, sure=False) if runs else None


def _corrected(text: str, marked: Sequence[Marker], options: NumberOptions) -> Reading | None:
    """Return the value stated after the last correction ("wait, …"), or `None`. `marked` has the places that announce
    an answer ("the answer is"), from the last to the first.

    A correction before the last of these places does not count. Nor does one that is followed by a confirmation ("yes,
    that is correct").
    """
    begin = marked[0].start if marked else 0
    corrections = list(CORRECTION.finditer(text, begin))
    if not corrections:
        return None
    last = corrections[-1]
    rest = text[last.end() : last.end() + _TAIL]
    if CONFIRMS.search(rest[:400]):
        return None
    reading = _read_unmarked(plain(rest), options)
    if reading.shape == "none" or not _states(plain(rest), reading):
        return None
    return Reading(
        shape=reading.shape, values=reading.values, rule="after a correction", sure=False, ordered=reading.ordered
    )


def _states(text: str, reading: Reading) -> bool:
    before = text[max(0, reading.values[0].start - 60) : reading.values[0].start]
    return bool(re.search(r"(?:is|are|'s|be|equals|=|:|makes|gives|to|\A)\s?\W{0,4}(?:about |actually )?\Z", before))


def _read_marked(marker: Marker, options: NumberOptions) -> Reading | None:
    """Return the value that the marker announces (see `Marker`), or `None` if it cannot be read."""
    for extent in marker.contents:
        text = plain(extent)
        complete = read_complete(text, options)
        if marker.strict:
            if HEADING.match(text):
                return None
            return complete and _named(complete, marker.rule)
        reading = complete or read_statement(text, options, first=True)
        if reading.shape != "none" or reading is HEDGED:
            return _named(reading, marker.rule)
    return None


def _named(reading: Reading, rule: str) -> Reading:
    if reading.shape == "none":
        return reading
    return replace(reading, rule=rule, sure=True)


def _read_unmarked(text: str, options: NumberOptions) -> Reading:
    complete = read_complete(text, options)
    if complete and not (options.which in ("first", "last") and complete.shape in ("list", "range")):
        return complete
    if options.which != "answer":
        return _by_place(text, options)
    sentences = [bounded_part(part) for part in sentences_of(text) if part.strip()]
    known: list[tuple[str, list[Number]]] = [(part, numbers_of(part, options)) for part in sentences]
    if not any(found for _, found in known):
        return _none_of_them(text, options)
    denied = answered_by_no(sentences)
    known = [
        (part, [] if index in denied or _is_no_answer(part, found) else found)
        for index, (part, found) in enumerate(known)
    ]
    if not any(found for _, found in known):
        return NOTHING
    if known[-1][1] and is_unfinished(*known[-1]):
        return CUT_OFF
    if reading := _lines_of_list(known):
        return reading
    chosen = _statement_that_answers(known, options)
    reading = read_statement(known[chosen][0], options, first=False)
    hedged = _hedge_between(known)
    if hedged or reading is HEDGED:
        return HEDGED
    if reading.shape != "number":
        return reading
    sure = _is_sure(known, reading)
    return replace(reading, sure=sure)


def _is_no_answer(statement: str, found: Sequence[Number]) -> bool:
    """Return whether a statement refuses to answer or states the model's confidence. Its numbers are then not the
    answer."""
    if len(found) == 1 and CONFIDENCE.search(statement):
        return True
    return bool(REFUSES.search(statement)) and not STILL_ANSWERS.search(statement)


def _none_of_them(text: str, options: NumberOptions) -> Reading:
    """Read "None are left." or "There are no apples left." as 0 if the question asks how many. Otherwise return
    `NOTHING`."""
    found = NONE_OF_THEM.fullmatch(text.strip()[:200]) if asks_for_a_count(options.question) else None
    if found is None:
        return NOTHING
    noun = found["noun"] or found["things"]
    if noun and not content_words(noun) & content_words(options.question):
        return NOTHING
    words = " ".join(text.split())[:60]
    number = Number(value=Fraction(0), text=words, start=0, end=len(text), worded=True)
    return Reading(shape="number", values=(number,), rule="statement")


def _by_place(text: str, options: NumberOptions) -> Reading:
    found = [number for number in numbers_of(text, options) if number.kind == "number"]
    if not found:
        return NOTHING
    chosen = found[-1] if options.which == "last" else found[0]
    sure = len({number.value for number in found}) == 1
    return Reading(shape="number", values=(chosen,), rule=f"{options.which} number", sure=sure)


# --- the choice among several statements ----------------------------------------------------------------------------


def _statement_that_answers(known: Sequence[tuple[str, list[Number]]], options: NumberOptions) -> int:
    """Return the index of the statement whose number answers the question."""
    given = {number.value for number in numbers(plain(options.question[-4_000:]))}
    wanted = asked_words(options.question)
    asked_periods = periods(last_sentence(options.question))
    with_number = [index for index, (_, found) in enumerate(known) if found]
    used: set[Fraction] = set()
    values = [frozenset(number.value for number in found) for _, found in known]
    best, best_points = with_number[-1], float("-inf")
    for index in reversed(with_number):
        text, found = known[index]
        reading = read_statement(text, options, first=False)
        points = _points(text, found, reading, given=given, wanted=wanted, used=used, asked_periods=asked_periods)
        points += 2.0 if index == with_number[-1] else 0
        if (
            reading.rule == "result"
            and reading.values[0].value in given
            and any(values[index] <= earlier for earlier in values[:index])
        ):
            continue  # "192 ÷ 8 = 24" checks "24 × 8 = 192".
        points += _first_points(text, found, reading) if index == with_number[0] else 0
        if points > best_points:
            best, best_points = index, points
        used |= {number.value for number in found if is_operand(text, number)}
    return best


def _points(
    text: str,
    found: Sequence[Number],
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
        words = content_words(text)
        points += 2.0 * len(wanted & words) / len(wanted)
    if reading.shape in ("date", "time") or all(is_adverbial(text, number) for number in found):
        points -= 1.5
    if ENUMERATOR.match(text) and not CONCLUDES.search(text):
        points -= 0.5
    return points


def _first_points(text: str, found: Sequence[Number], reading: Reading) -> float:
    """Return the points for the position of `text`, the first statement with a number. They count in rule 4 of the
    module's docstring.

    A statement that begins with its number gets more, because many answers begin with the result and then explain it.
    """
    if reading.shape != "none" and reading.rule != "result" and found and ABOUT.match(text[: found[0].start]):
        rest = text[found[0].end :]
        return 3.5 if len(rest.split()) <= 3 and not STILL_GOES_ON.search(rest) else 1.0
    return 0.5


def _hedge_between(known: Sequence[tuple[str, list[Number]]]) -> bool:
    """Return whether the last two statements leave the answer open ("It could be 16. Or it could be 18."). `known` has
    the text of each statement, and the numbers that it states."""
    stated = [(text, found) for text, found in known if found]
    if len(stated) < 2:
        return False
    (_, before), (text, found) = stated[-2:]
    return (
        bool(re.match(r"\W*(?:or|oder|maybe|or maybe|perhaps)\b", text, re.IGNORECASE))
        and before[-1].value != found[0].value
    )


def _lines_of_list(known: Sequence[tuple[str, list[Number]]]) -> Reading | None:
    """Return the list if every line is one number, else `None`. A heading that ends with a colon is skipped."""
    known = known[1:] if known and known[0][0].rstrip(" *_").endswith(":") else known
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
    """Return whether a reader would choose the number in `reading` even without knowing the question."""
    chosen = reading.values[0].value
    results: list[Fraction] = []
    operands: set[Fraction] = set()
    free: set[Fraction] = set()
    for text, found in known:
        here = results_of(text, found)
        results += [number.value for number in here]
        operands |= {number.value for number in found if is_operand(text, number)}
        free |= {
            number.value
            for number in main_numbers(text, found, first=False)
            if number not in here and not is_operand(text, number) and not is_adverbial(text, number)
        }
    unused = {value for value in results if value not in operands}
    if unused:
        return unused == {chosen} and free <= operands | set(results)
    return free <= {chosen}
