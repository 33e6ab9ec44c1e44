"""ROUGE-L: the longest common subsequence of words, as precision, recall and their F.

The same as `rouge-score` on ASCII text (a test compares them), but for its words, which know no other script. It is not
used itself because importing it brings the whole of nltk (95 MB, seconds), and its Python loop takes a second for a
thousand words against a thousand.
"""

from typing import Literal

from pydantic import Field

from judge.domain.cannot_score import CannotScore
from judge.domain.references import references
from judge.domain.words import words
from judge.evaluators.base import Example, ReferenceParams, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer

_MOST_WORDS = 20_000


class RougeParams(ReferenceParams):
    measure: Literal["f", "precision", "recall"] = Field(default="f", description="Which of the three is the score.")
    pass_mark: float | None = Field(
        default=None, ge=0, le=1, description="From which score an answer passes; without it, none passes or fails."
    )


def score(task: JudgeAnswer, params: RougeParams) -> Scored:
    answer = _words(task.answer)
    known = references(task.case, params.references)
    best = max((_compared(answer, _words(reference)) for reference in known), key=lambda each: each[params.measure])
    value = best[params.measure]
    return scored(
        value,
        passed=None if params.pass_mark is None else value >= params.pass_mark,
        reason=f"ROUGE-L {value:.3f} (precision {best['precision']:.3f}, recall {best['recall']:.3f}).",
        f=best["f"],
        precision=best["precision"],
        recall=best["recall"],
        references=len(known),
        tokenizer="words of any script, in lower case, not stemmed",
    )


def _words(text: str) -> list[str]:
    found = words(text)
    if len(found) > _MOST_WORDS:
        raise CannotScore(f"A text of {len(found):,} words is too long for ROUGE-L; the limit is {_MOST_WORDS:,}.")
    return found


def _compared(answer: list[str], reference: list[str]) -> dict[str, float]:
    from rapidfuzz.distance import LCSseq

    common = LCSseq.similarity(answer, reference)
    precision = common / len(answer) if answer else 0.0
    recall = common / len(reference) if reference else 0.0
    f = 2 * precision * recall / (precision + recall) if common else 0.0
    return {"precision": precision, "recall": recall, "f": f}


EVALUATOR = by_program(
    kind="rouge_l",
    title="ROUGE-L",
    description="Words in common with the reference in the same order, with gaps: precision, recall and F. The "
    "nearest of several references counts. It sees wording, not meaning.",
    params=RougeParams,
    score=score,
    examples=(
        Example(
            name="five of six words",
            answer="The cat is on the mat.",
            case={"expected_output": "The cat sat on the mat."},
            params={"pass_mark": 0.8},
            verdict={"outcome": "scored", "raw": 5 / 6, "passed": True},
        ),
        Example(
            name="a script without spaces",
            answer="今天天气很好",
            case={"expected_output": "今天天气不错"},
            verdict={"raw": 2 / 3, "passed": None},
        ),
        Example(
            name="recall",
            answer="Paris it is",
            case={"expected_output": "Paris"},
            params={"measure": "recall"},
            verdict={"raw": 1.0},
        ),
        Example(name="empty", answer="", case={"expected_output": "Paris"}, verdict={"raw": 0.0}),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
