"""The common parts of the ROUGE evaluators: parameters, words, and the choice of the nearest reference.

On ASCII text, the scores equal those of the library `rouge-score` (a test compares them). Words of other scripts are
recognised, too.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import Field

from judge.domain.cannot_score import CannotScore
from judge.domain.references import references
from judge.domain.rouge import MOST_WORDS, Rouge
from judge.domain.words import words
from judge.evaluators.base import ReferenceParams, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.thresholds import reaches

Compare = Callable[[str, str], Rouge]
"""A function that compares the answer with one reference. Raises `_TooLong` or `CannotScore` if it cannot."""


class RougeParams(ReferenceParams):
    measure: Literal["f", "precision", "recall"] = Field(default="f", description="The measure that is the score.")
    pass_mark: float | None = Field(
        default=None, ge=0, le=1, description="The lowest score that passes; without it, no answer passes or fails."
    )


def by_overlap(title: str, compared: Compare) -> Callable[[JudgeAnswer, RougeParams], Scored]:
    """Return the `score` function of a ROUGE evaluator. `title` names the evaluator in reasons and errors, and
    `compared` compares the answer with one reference.

    The score is the highest precision, recall or F measure among the references, as the parameter `measure` says.
    """

    def score(task: JudgeAnswer, params: RougeParams) -> Scored:
        known = references(task.case, params.references)
        try:
            best = max(
                (compared(task.answer, reference) for reference in known),
                key=lambda each: float(getattr(each, params.measure)),
            )
        except _TooLong as error:
            raise CannotScore(f"{error} is too long for {title}; the limit is {MOST_WORDS:,}.") from None
        value: float = getattr(best, params.measure)
        return scored(
            value,
            passed=None if params.pass_mark is None else reaches(value, params.pass_mark),
            reason=f"{title} {value:.3f} (precision {best.precision:.3f}, recall {best.recall:.3f}).",
            f=best.f,
            precision=best.precision,
            recall=best.recall,
            references=len(known),
            tokenizer="words of any script, in lower case, not stemmed",
        )

    return score


def bounded_words(text: str) -> list[str]:
    """Return the words of `text`. Raises `_TooLong` for more than `MOST_WORDS` words."""
    own_words = words(text)
    if len(own_words) > MOST_WORDS:
        raise _TooLong(f"A text of {len(own_words):,} words")
    return own_words


def bounded_lines(text: str) -> list[Sequence[str]]:
    """Return the words of each non-empty line of `text`.

    Raises `_TooLong` if the text has more than `MOST_WORDS` words.
    """
    bounded_words(text)
    return [words(line) for line in text.split("\n") if line]


class _TooLong(Exception):
    """Raised when a text is too long; the message gives its length."""
