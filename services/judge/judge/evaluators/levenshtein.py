"""Levenshtein: count the characters to insert, delete or replace to turn the answer into the nearest reference."""

from pydantic import Field

from judge.domain.cannot_score import CannotScore
from judge.domain.references import references
from judge.evaluators.base import Example, ReferenceParams, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer

_LONGEST_CHARS = 50_000


class LevenshteinParams(ReferenceParams):
    max_edits: int = Field(
        default=5,
        ge=0,
        le=100_000,
        description="The most edits that pass. More than half of the longer text's characters never pass.",
    )
    ignore_case: bool = Field(default=False, description="Ignore the difference between capital and small letters.")


def score(task: JudgeAnswer, params: LevenshteinParams) -> Scored:
    from rapidfuzz.distance import Levenshtein

    known = references(task.case, params.references)
    answer = _bounded(task.answer.strip(), params)
    texts = [_bounded(reference.strip(), params) for reference in known]
    edits = [Levenshtein.distance(answer, text) for text in texts]
    nearest = min(range(len(edits)), key=edits.__getitem__)
    longest = max(len(answer), len(texts[nearest]))
    # Never pass more edits than half of the longer text: "Rome" is no misspelt "Paris".
    most = min(params.max_edits, longest // 2)
    return scored(
        1 - edits[nearest] / longest if longest else 1,
        passed=edits[nearest] <= most,
        reason=f"{edits[nearest]:,} edits from the nearest reference, at most {most:,} pass.",
        edits=edits[nearest],
        max_edits=params.max_edits,
        nearest=known[nearest],
        references=len(known),
    )


def _bounded(text: str, params: LevenshteinParams) -> str:
    if len(text) > _LONGEST_CHARS:
        raise CannotScore(
            f"A text of {len(text):,} characters is too long for the Levenshtein distance; the limit is "
            f"{_LONGEST_CHARS:,}."
        )
    return text.casefold() if params.ignore_case else text


EVALUATOR = by_program(
    kind="levenshtein",
    title="Levenshtein distance",
    description="The answer needs few edits (characters inserted, deleted or replaced) to become the nearest "
    "reference. The score is the unchanged share of the longer text.",
    params=LevenshteinParams,
    score=score,
    schema_version="2",
    examples=(
        Example(
            name="three edits",
            answer="kitten",
            case={"expected_output": "sitting"},
            params={"max_edits": 3},
            verdict={"outcome": "scored", "passed": True, "raw": 1 - 3 / 7, "details": {"edits": 3}},
        ),
        Example(
            name="one edit too many",
            answer="kitten",
            params={"references": ["sitting"], "max_edits": 2},
            verdict={"passed": False, "reason": "3 edits from the nearest reference, at most 2 pass."},
        ),
        Example(
            name="the nearest reference counts",
            answer="PARIS ",
            params={"references": ["Lyon", "Paris"], "max_edits": 0, "ignore_case": True},
            verdict={"passed": True, "raw": 1.0},
        ),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
