"""BLEU of one answer, by sacrebleu, on a scale from 0 to 1. The BLEU of a run is not the mean of these."""

from typing import Any, Literal

from pydantic import Field

from judge.domain.cannot_score import CannotScore
from judge.domain.references import references
from judge.evaluators.base import Example, ReferenceParams, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer

_LONGEST_CHARS = 50_000


class BleuParams(ReferenceParams):
    tokenizer: Literal["13a", "intl", "zh", "char", "none"] = Field(
        default="13a",
        description="sacrebleu's: `13a` for scripts with spaces, `intl` with Unicode's punctuation, `zh` for Chinese, "
        "`char` for any script without spaces.",
    )
    smoothing: Literal["exp", "floor", "add-k", "none"] = Field(
        default="exp", description="What a length of n-grams without a match counts; `none` makes the score 0 then."
    )
    smoothing_value: float | None = Field(default=None, gt=0, le=10, description="Of `floor` (0.1) and `add-k` (1).")
    ignore_case: bool = Field(default=False, description="Capital and small letters are the same.")
    pass_mark: float | None = Field(
        default=None, ge=0, le=1, description="From which score an answer passes; without it, none passes or fails."
    )


def score(task: JudgeAnswer, params: BleuParams) -> Scored:
    known = references(task.case, params.references)
    metric = _metric(params)
    found = metric.sentence_score(_clean(task.answer), [_clean(reference) for reference in known])
    value = found.score / 100
    return scored(
        value,
        passed=None if params.pass_mark is None else value >= params.pass_mark,
        reason=f"BLEU {value:.3f} (brevity penalty {found.bp:.3f}).",
        precisions=[precision / 100 for precision in found.precisions],
        brevity_penalty=found.bp,
        answer_tokens=found.sys_len,
        reference_tokens=found.ref_len,
        signature=str(metric.get_signature()),
    )


def _metric(params: BleuParams) -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(
        lowercase=params.ignore_case,
        tokenize=params.tokenizer,
        smooth_method=params.smoothing,
        smooth_value=params.smoothing_value if params.smoothing in ("floor", "add-k") else None,
        effective_order=True,
    )


def _clean(text: str) -> str:
    if len(text) > _LONGEST_CHARS:
        raise CannotScore(f"A text of {len(text):,} characters is too long for BLEU; the limit is {_LONGEST_CHARS:,}.")
    return text.encode("utf-8", "replace").decode()


EVALUATOR = by_program(
    kind="bleu",
    title="BLEU",
    description="n-grams in common with the references, with a penalty for brevity (sacrebleu). It sees wording, not "
    "meaning, and is meant for texts of some length.",
    params=BleuParams,
    score=score,
    examples=(
        Example(
            name="one word is another",
            answer="The cat sat on the mat.",
            case={"expected_output": "The cat sat on the mat."},
            params={"pass_mark": 0.5},
            verdict={"outcome": "scored", "raw": 1.0, "passed": True},
        ),
        Example(
            name="nothing in common",
            answer="Nobody knows",
            case={"expected_output": "The cat sat on the mat."},
            verdict={"raw": 0.0, "passed": None},
        ),
        Example(name="empty", answer="", case={"expected_output": "Paris"}, verdict={"raw": 0.0}),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
