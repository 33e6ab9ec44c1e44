"""Repeat the judge's verdict: a fixed number of times, and more often if the mean score is close to the pass mark.

The decision to repeat more often is made once, after the first verdicts. Stopping as soon as the mean is no longer
close to the pass mark would bias the mean.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from statistics import mean
from typing import Any, Generic, TypeVar

from pydantic import Field, model_validator

from judge.domain.repeats import near, nearest_to_mean, summary
from judge.evaluators.base import Params
from judge.evaluators.question import REPEAT_TEMPERATURE
from llmbench.contracts.answer_scored import Unparsed
from llmbench.contracts.judge_answer import JudgeAnswer

V = TypeVar("V")

_USUAL_MARGIN = 0.1
"""The default margin around the pass mark, as a share of the scale."""


class RepeatParams(Params):
    """The parameters that set how many verdicts the judge model gives on an answer.

    `extra_repeats` and `margin` request further verdicts if the score is close to the pass mark. They were added after
    the first evaluator revisions were stored. So they are part of a revision's identity only if they differ from their
    defaults.
    """

    repeats: int = Field(
        default=1,
        ge=1,
        le=10,
        description="The number of verdicts requested from the judge. The score is their mean, shown with spread and "
        "self-agreement.",
    )
    extra_repeats: int = Field(
        default=0,
        ge=0,
        le=20,
        exclude_if=lambda extra: extra == 0,
        description="The number of further verdicts if the mean is within the margin of the pass mark.",
    )
    margin: float | None = Field(
        default=None,
        gt=0,
        le=100,
        exclude_if=lambda margin: margin is None,
        description="The margin around the pass mark, on the evaluator's own scale. Default: a tenth of the scale.",
    )

    @model_validator(mode="after")
    def _margin_of_something(self) -> "RepeatParams":
        if self.margin is not None and not self.extra_repeats:
            raise ValueError("margin: says when extra_repeats are asked: give their number as well")
        return self

    @property
    def temperature(self) -> float:
        """Return the temperature for the judge model. It applies if the run sets no temperature for the judge, or sets
        it to 0."""
        return 0.0 if self.repeats == 1 and not self.extra_repeats else REPEAT_TEMPERATURE


@dataclass(frozen=True)
class Repeated(Generic[V]):
    """The valid verdicts of all repeats and their mean score.

    `nearest` is the verdict whose score is nearest to the mean. `details` are stored with the score.
    """

    verdicts: list[V]
    mean: float
    nearest: V
    details: dict[str, Any]


async def repeated(
    task: JudgeAnswer,
    params: RepeatParams,
    once: Callable[[int], Awaitable[V | Unparsed]],
    *,
    score_of: Callable[[V], float],
    mark: float,
    scale: float,
) -> Repeated[V] | Unparsed:
    """Call `once` for each repeat, with the repeat's number from 1 on. Return `Unparsed` if no repeat gives a verdict.

    `score_of` returns the score of a verdict. `mark` is the evaluator's own pass mark, for runs that set none. `scale`
    is the length of the evaluator's scale.
    """
    chosen = task.evaluator.pass_threshold
    mark = mark if chosen is None else chosen
    margin = _USUAL_MARGIN * scale if params.margin is None else params.margin
    verdicts: list[V] = []
    unparsed: Unparsed | None = None
    requested, planned, close = 0, params.repeats, False
    while requested < planned:
        requested += 1
        verdict = await once(requested)
        if isinstance(verdict, Unparsed):
            unparsed = verdict
        else:
            verdicts.append(verdict)
        if requested == params.repeats and params.extra_repeats:
            close = near([score_of(each) for each in verdicts], mark=mark, margin=margin)
            planned += params.extra_repeats if close else 0
    if not verdicts:
        assert unparsed is not None
        return unparsed
    scores = [score_of(verdict) for verdict in verdicts]
    why_more = {"mark": mark, "margin": margin, "near_mark": close} if params.extra_repeats else {}
    return Repeated(
        verdicts, mean(scores), verdicts[nearest_to_mean(scores)], summary(scores, requested=requested) | why_more
    )
