"""chrF of one answer, by sacrebleu, on a scale from 0 to 1. The mean of these scores is not the chrF of the corpus."""

from typing import Any

from pydantic import Field

from judge.domain.cannot_score import CannotScore
from judge.domain.references import references
from judge.evaluators.base import Example, ReferenceParams, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.thresholds import reaches

_LONGEST_CHARS = 50_000


class ChrfParams(ReferenceParams):
    word_order: int = Field(
        default=0, ge=0, le=2, description="0: characters only (chrF). 2: also words and pairs of words (chrF++)."
    )
    ignore_case: bool = Field(default=False, description="Ignore the difference between capital and small letters.")
    pass_mark: float | None = Field(
        default=None, ge=0, le=1, description="The lowest score that passes; without it, no answer passes or fails."
    )


def score(task: JudgeAnswer, params: ChrfParams) -> Scored:
    known = references(task.case, params.references)
    metric = _metric(params)
    chrf = metric.sentence_score(_clean(task.answer), [_clean(reference) for reference in known])
    value = chrf.score / 100
    name = f"chrF{'+' * params.word_order}"
    return scored(
        value,
        passed=None if params.pass_mark is None else reaches(value, params.pass_mark),
        reason=f"{name} {value:.3f}.",
        references=len(known),
        signature=str(metric.get_signature()),
    )


def _metric(params: ChrfParams) -> Any:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF(word_order=params.word_order, lowercase=params.ignore_case)


def _clean(text: str) -> str:
    if len(text) > _LONGEST_CHARS:
        raise CannotScore(f"A text of {len(text):,} characters is too long for chrF; the limit is {_LONGEST_CHARS:,}.")
    return text.encode("utf-8", "replace").decode()


EVALUATOR = by_program(
    kind="chrf",
    title="chrF",
    description="Counts sequences of one to six characters in common with the nearest reference (sacrebleu). It "
    "works for every script, because it needs no words, and it tolerates different word endings.",
    params=ChrfParams,
    score=score,
    examples=(
        Example(
            name="the same",
            answer="The cat sat on the mat.",
            case={"expected_output": "The cat sat on the mat."},
            params={"pass_mark": 0.5},
            verdict={"outcome": "scored", "raw": 1.0, "passed": True},
        ),
        Example(
            name="a script without spaces, nothing in common",
            answer="再见",
            case={"expected_output": "今天天气不错"},
            verdict={"raw": 0.0, "passed": None},
        ),
        Example(
            name="the nearest of several",
            answer="Paris",
            params={"references": ["Rome", "Paris"]},
            verdict={"raw": 1.0, "reason": "chrF 1.000."},
        ),
        Example(name="empty", answer="", case={"expected_output": "Paris"}, verdict={"raw": 0.0}),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
