"""BLEU of one answer, by sacrebleu, on a scale from 0 to 1. The mean of these scores is not the BLEU of the corpus."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import Field

from judge.domain.cannot_score import CannotScore
from judge.domain.references import references
from judge.domain.scripts import Script, script
from judge.evaluators.base import Example, ReferenceParams, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.thresholds import reaches

_LONGEST_CHARS = 50_000


class BleuParams(ReferenceParams):
    tokenizer: Literal["auto", "13a", "intl", "zh", "char", "none"] = Field(
        default="auto",
        description="The tokenizer of sacrebleu: `13a` for scripts with spaces, `intl` with Unicode's punctuation, "
        "`zh` for Chinese, `char` for any script without spaces. `auto` chooses among 13a, zh and char "
        "by the references' script.",
    )
    smoothing: Literal["exp", "floor", "add-k", "none"] = Field(
        default="exp", description="The smoothing of n-gram lengths without a match; with `none` the score is 0."
    )
    smoothing_value: float | None = Field(
        default=None, gt=0, le=10, description="The parameter of `floor` (default 0.1) and `add-k` (default 1)."
    )
    ignore_case: bool = Field(default=False, description="Ignore the difference between capital and small letters.")
    pass_mark: float | None = Field(
        default=None, ge=0, le=1, description="The lowest score that passes; without it, no answer passes or fails."
    )


def score(task: JudgeAnswer, params: BleuParams) -> Scored:
    known = references(task.case, params.references)
    answer, cleaned = _clean(task.answer), [_clean(reference) for reference in known]
    fitting = _TOKENIZERS[script(" ".join(cleaned))]
    tokenizer = fitting if params.tokenizer == "auto" else params.tokenizer
    metric = _metric(params, tokenizer)
    bleu = metric.sentence_score(answer, cleaned)
    value = bleu.score / 100
    unfit = fitting != "13a" and tokenizer in ("13a", "intl", "none")
    warning = f" The tokenizer {tokenizer} finds no words in this script; choose auto." if unfit else ""
    return scored(
        value,
        passed=None if params.pass_mark is None else reaches(value, params.pass_mark),
        reason=f"BLEU {value:.3f} (brevity penalty {bleu.bp:.3f}; tokenizer {tokenizer}).{warning}",
        precisions=[precision / 100 for precision in bleu.precisions],
        brevity_penalty=bleu.bp,
        answer_tokens=bleu.sys_len,
        reference_tokens=bleu.ref_len,
        tokenizer=tokenizer,
        tokenizer_chosen_by="script" if params.tokenizer == "auto" else "parameter",
        signature=str(metric.get_signature()),
    )


# Japanese and Korean are split into characters: sacrebleu's own tokenizers for them need dictionaries.
_TOKENIZERS: Final[Mapping[Script, str]] = {"spaced": "13a", "chinese": "zh", "unspaced": "char"}


def _metric(params: BleuParams, tokenizer: str) -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(
        lowercase=params.ignore_case,
        tokenize=tokenizer,
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
    description="Counts n-grams in common with the references, with a penalty for brevity (sacrebleu). It measures "
    "wording, not meaning, and is meant for texts of some length.",
    params=BleuParams,
    score=score,
    schema_version="2",
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
        Example(
            name="a script without spaces",
            answer="今天天气很好",
            case={"expected_output": "今天天气很好"},
            verdict={"raw": 1.0, "details": {"tokenizer": "zh", "tokenizer_chosen_by": "script"}},
        ),
        Example(
            name="a tokenizer that does not fit the script",
            answer="今天天气很好",
            case={"expected_output": "今天天气不错"},
            params={"tokenizer": "13a"},
            verdict={
                "raw": 0.0,
                "reason": "BLEU 0.000 (brevity penalty 1.000; tokenizer 13a). The tokenizer 13a finds no words in this "
                "script; choose auto.",
            },
        ),
        Example(name="empty", answer="", case={"expected_output": "Paris"}, verdict={"raw": 0.0}),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
