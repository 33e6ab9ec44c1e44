"""Define how a text is read as a number, a list, a range, a date or a time, and the result of reading it."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from judge.domain.numbers import Number

Which = Literal["answer", "last", "first"]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The value that was read from a text. The `shape` is "none", and `values` is empty, if nothing was read.

    `values` has two numbers for a range, several for a list, else one. `rule` names the rule that found them, or says
    why nothing was read. `sure` is true if the text allows no other reading. `ordered` is true for a list in
    brackets, whose order matters. `rounded` is the decimal that the text itself gives for a fraction ("1/3 ≈ 0.333"),
    or `None`.
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
    """The options for reading a number, list, range, date or time from a text.

    `which` says which number counts if no marker announces the answer: the number that answers the question, the first
    number, or the last number. `decimal_comma` says that the comma in "1,234" is a decimal sign. `units` maps the
    user's own units to their factors to a base unit. `question` is the question that the text answers; its words help
    to choose a number.
    """

    which: Which = "answer"
    decimal_comma: bool = False
    units: Mapping[str, Fraction] | None = None
    question: str = ""


NOTHING = Reading(shape="none", rule="no number")
CUT_OFF = Reading(shape="none", rule="cut off")
HEDGED = Reading(shape="none", rule="several left open")
