"""The result of reading a text as a number, a list, a range, a date or a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from judge.domain.numbers import Number

Which = Literal["answer", "last", "first"]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The value that was read; its `shape` is `none` if nothing was read.

    `sure` says that the text allows no other reading, `ordered` that the order of a list matters. `rounded` is the
    text's own approximation of its fraction: "1/3 ≈ 0.333".
    """

    shape: Literal["number", "list", "range", "date", "time", "none"]
    values: tuple[Number, ...] = ()
    rule: str
    sure: bool = True
    ordered: bool = False
    rounded: Number | None = None

    @property
    def text(self) -> str | None:
        if not self.values:
            return None
        joint = {"range": " to "}.get(self.shape, ", ")
        return joint.join(" ".join(number.text.split()) for number in self.values[:20])[:200]


@dataclass(frozen=True, kw_only=True)
class NumberOptions:
    """The options for reading a text: the evaluator's parameters, and the question."""

    which: Which = "answer"
    decimal_comma: bool = False
    units: Mapping[str, Fraction] | None = None
    question: str = ""


NOTHING = Reading(shape="none", rule="no number")
CUT_OFF = Reading(shape="none", rule="cut off")
HEDGED = Reading(shape="none", rule="several left open")
