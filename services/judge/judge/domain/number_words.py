"""English number words: "seventy-two", "one and a half", "two thirds"."""

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
    """Yield the start, the end and the value of each number in words, in order."""
    for run in _RUN.finditer(text):
        above, _, below = run[0].lower().partition(" point")
        value = _value([word for word in re.split(r"[\s-]+", above) if word])
        if value is not None and below:
            digits = "".join(str(_SMALL[word]) for word in re.split(r"[\s-]+", below) if word)
            value += Fraction(int(digits), 10 ** len(digits)) * (-1 if value < 0 else 1)
        if value is not None:
            yield run.start(), run.end(), value


def _value(words: list[str]) -> Fraction | None:
    sign, done, current = 1, Fraction(0), Fraction(0)
    seen = False
    for word in words:
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
            return sign * ((done + current or Fraction(1)) * part)
    return sign * (done + current) if seen else None
