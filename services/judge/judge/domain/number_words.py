"""Read English number words: "seventy-two", "one and a half", "two thirds"."""

import re
from collections.abc import Iterator
from fractions import Fraction

_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SIZES = {**_LARGE, "hundred": 100, "dozen": 12}
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
    "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8, "tenth": 10, "tenths": 10,
}  # fmt: skip
_SIGNS = {"minus": -1, "negative": -1}
_WORDS = [*_SMALL, *_TENS, *_LARGE, *_PARTS, *_SIGNS, "hundred", "dozen"]
_ONE = "|".join(sorted(_WORDS, key=len, reverse=True))
_DIGIT = "|".join(word for word, value in _SMALL.items() if value < 10)
_RUN = re.compile(
    rf"(?<![\w-])(?:an?\s)?(?:{_ONE})(?:(?:\s|-|\sand\s|\sand\san?\s|-and-a-|\san?\s)(?:{_ONE})){{0,20}}"
    rf"(?:\spoint(?:[\s-](?:{_DIGIT})){{1,12}})?(?![\w-])",
    re.IGNORECASE,
)


def number_words(text: str) -> Iterator[tuple[int, int, Fraction]]:
    """Yield the start index, the end index and the value of each number in words, in order."""
    for run in _RUN.finditer(text):
        above, _, below = run[0].lower().partition(" point")
        value = _value([word for word in re.split(r"[\s-]+", above) if word])
        if value is not None and below:
            digits = "".join(str(_SMALL[word]) for word in re.split(r"[\s-]+", below) if word)
            value += Fraction(int(digits), 10 ** len(digits)) * (-1 if value < 0 else 1)
        if value is not None:
            yield run.start(), run.end(), value
        elif " and " in above and not below:
            yield from _apart(run)


def _year(words: list[str]) -> Fraction | None:
    """Return a year that is written as two numbers ("nineteen sixty-nine" is 1969, "twenty twenty" 2020), or `None`."""
    century = {**_SMALL, **_TENS}.get(words[0], 0)
    rest = [{**_SMALL, **_TENS}.get(word, 0) for word in words[1:]]
    if not 13 <= century <= 20 or not rest or rest[0] < 10 or 0 in rest:
        return None
    if len(rest) == 1 or (len(rest) == 2 and rest[0] >= 20 and rest[1] < 10):
        return Fraction(100 * century + sum(rest))
    return None


def _apart(run: re.Match[str]) -> Iterator[tuple[int, int, Fraction]]:
    """Yield the start index, the end index and the value of each number in a list such as "five and seven"."""
    for part in re.finditer(r"(?:(?!\sand\s).)+", run[0], re.IGNORECASE):
        words = part[0].lower().removeprefix("and ").strip()
        value = _value([word for word in re.split(r"[\s-]+", words) if word and word != "and"])
        if value is not None:
            yield run.start() + part.end() - len(words), run.start() + part.end(), value


def _value(words: list[str]) -> Fraction | None:
    sign, done, current = 1, Fraction(0), Fraction(0)
    seen = False
    if (year := _year(words)) is not None:
        return year
    for index, word in enumerate(words):
        if word in _SIGNS:
            if seen:
                return None
            sign = -1
        elif word in ("a", "an", "and"):
            continue
        elif word in _SMALL or word in _TENS:
            number = _SMALL.get(word, _TENS.get(word, 0))
            # "five six" is no number.
            if current and not (current % 100 == 0 or (current % 10 == 0 and current % 100 >= 20 and number < 10)):
                return None
            current += number
            seen = True
        elif word == "hundred":
            current = (current or Fraction(1)) * 100
            seen = True
        elif word == "dozen":
            current = (current or Fraction(1)) * 12
            seen = True
        elif word in _LARGE:
            done += (current or Fraction(1)) * _LARGE[word]
            current = Fraction(0)
            seen = True
        else:
            part = Fraction(1, _PARTS[word])
            if "and" in words and seen:  # "one and a half"
                head = words[words.index("and") + 1 : words.index(word)]
                above = next((_SMALL[each] for each in head if each in _SMALL), 1)
                return sign * (done + current - (above if head and head[0] in _SMALL else 0) + above * part)
            # "half a million"
            size = next((_SIZES[each] for each in words[index + 1 :] if each in _SIZES), 1)
            return sign * ((done + current or Fraction(1)) * part) * size
    return sign * (done + current) if seen else None
