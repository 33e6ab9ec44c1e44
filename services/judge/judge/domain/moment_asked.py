"""Find the date, time or year that answers a question "when". For other questions, remove a leading year that only
dates the other numbers, as in "In 2020, 331 million people …"."""

import re

from judge.domain.number_patterns import A_YEAR, IN_A_YEAR, REASONS, WHEN
from judge.domain.numbers import Number
from judge.domain.question_words import last_sentence


def asks_when(question: str) -> bool:
    return WHEN.search(last_sentence(question)) is not None


def moment_asked(text: str, found: list[Number], question: str) -> Number | None:
    """Return the date, time or year in the main clause of `text` if the question asks when; else `None`.

    `found` are the numbers of `text`. The result is also `None` if the clause has several different dates, times or
    years.
    """
    if not asks_when(question):
        return None
    if re.search(r"\byear\b", last_sentence(question), re.IGNORECASE):
        found = [number for number in found if number.kind == "number" or len(number.parts) == 3]
    moments = [number for number in found if _is_moment(number)]
    cuts = (each.start() for each in REASONS.finditer(text) if moments and moments[0].end <= each.start())
    end = next(cuts, len(text))
    main = [number for number in moments if number.end <= end]
    return main[0] if len({(number.value, number.parts) for number in main}) == 1 else None


def without_its_year(text: str, found: list[Number]) -> list[Number]:
    """Return `found`, the numbers of `text`, without the first one if it is a year that only dates the other numbers.
    An example is "In 2020, 331 million people …"."""
    is_dated = A_YEAR.fullmatch(found[0].text) and IN_A_YEAR.search(text[: found[0].start])
    return found[1:] if is_dated and text[found[0].end : found[0].end + 2] == ", " else found


def _is_moment(number: Number) -> bool:
    return number.kind in ("date", "time") or (A_YEAR.fullmatch(number.text) is not None and number.unit is None)
