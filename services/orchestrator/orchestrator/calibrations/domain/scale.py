"""Bring labels of people and scores of a judge onto one scale: that of the labels."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

_WORDS: Final[Mapping[str, float]] = {
    **dict.fromkeys(("pass", "passed", "yes", "true", "good", "correct", "right", "acceptable"), 1.0),
    **dict.fromkeys(("fail", "failed", "no", "false", "bad", "incorrect", "wrong", "unacceptable"), 0.0),
}
"""Words that people use as the two labels of a scale from 0 to 1."""
MOST_LEVELS: Final = 201


@dataclass(frozen=True)
class LabelScale:
    """The levels of the labels in ascending order, at least two, and the level from which an answer passes."""

    levels: tuple[float, ...]
    pass_mark: float

    @property
    def low(self) -> float:
        return self.levels[0]

    @property
    def high(self) -> float:
        return self.levels[-1]

    @property
    def is_pass_fail(self) -> bool:
        return len(self.levels) == 2

    @property
    def has_words(self) -> bool:
        """Return whether the labels of this scale may be words such as "pass" (1) and "fail" (0)."""
        return self.levels == (0.0, 1.0)

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high  # False for NaN, too


@dataclass(frozen=True)
class JudgeScale:
    """The scale of an evaluator's raw score. `pass_mark` is null if the evaluator has none."""

    low: float
    high: float
    pass_mark: float | None


def whole_levels(low: float, high: float) -> tuple[float, ...] | None:
    """Return the whole numbers from `low` to `high`. Return `None` if an end is no whole number, if `high` is not
    greater than `low`, or if there are more than `MOST_LEVELS` numbers."""
    if low != int(low) or high != int(high) or not 1 <= high - low < MOST_LEVELS:
        return None
    return tuple(float(level) for level in range(int(low), int(high) + 1))


def label_scale(levels: Sequence[float], judge: JudgeScale, pass_mark: float | None) -> LabelScale | None:
    """Return the scale with these levels. If there are two levels, the upper one passes. Otherwise the pass mark is
    `pass_mark` or, if it is `None`, the judge's own pass mark, converted to the scale. Return `None` if the judge has
    none either."""
    ordered = tuple(sorted(set(levels)))
    if len(ordered) == 2:
        return LabelScale(ordered, ordered[1])
    if pass_mark is None and judge.pass_mark is None:
        return None
    if pass_mark is None:
        assert judge.pass_mark is not None
        share = (judge.pass_mark - judge.low) / (judge.high - judge.low) if judge.high > judge.low else 0.5
        pass_mark = round(ordered[0] + share * (ordered[-1] - ordered[0]), 9)
    return LabelScale(ordered, pass_mark)


def judge_value(scale: LabelScale, normalised: float, passed: bool | None) -> float:
    """Return a judge's score on the scale of the labels. On a scale with two levels, it is the upper level if the
    answer passed, else the lower. If the judge gave no verdict (`passed` is `None`), an answer passes from a
    `normalised` score of 0.5 on."""
    if scale.is_pass_fail:
        passes = normalised >= 0.5 if passed is None else passed
        return scale.high if passes else scale.low
    return round(scale.low + normalised * (scale.high - scale.low), 9)


def is_word(label: object) -> bool:
    """Return whether the label is a truth value or a word such as "pass": both are labels of a scale from 0 to 1."""
    return isinstance(label, bool) or (isinstance(label, str) and label.strip().casefold() in _WORDS)


def number_of(label: object) -> float | None:
    """Convert a label to a number. The label may be a number, a text that contains a number, or a word such as "pass"
    (1) or "fail" (0). Return `None` for any other label, an infinite number, or a text of more than 60 characters."""
    if isinstance(label, bool):
        return float(label)
    if isinstance(label, int | float):
        try:
            value = float(label)
        except OverflowError:
            return None
        return value if math.isfinite(value) else None
    if not isinstance(label, str) or len(label) > 60:
        return None
    word = label.strip().casefold()
    if word in _WORDS:
        return _WORDS[word]
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def consensus_of(labels: Mapping[str, float], decision: float | None) -> float:
    """Return the decision about an answer, or else the median of its labels, of which there is at least one."""
    return float(median(labels.values())) if decision is None else decision
