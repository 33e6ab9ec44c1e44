"""Fuzzy match: the answer is nearly one of the references."""

from functools import partial

from pydantic import Field

from judge.domain.references import references
from judge.domain.similarity import Method, similarity
from judge.domain.simplified import simplified
from judge.evaluators.base import Example, ReferenceParams, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.thresholds import reaches


class FuzzyMatchParams(ReferenceParams):
    threshold: float = Field(default=0.8, ge=0, le=1, description="How alike an answer must be to pass.")
    method: Method = Field(
        default="ratio",
        description="rapidfuzz's measure. `ratio`: share of characters in common. `partial_ratio`: of the best "
        "part of the longer text. `token_sort_ratio`: words in any order. `token_set_ratio`: words of one within "
        "the other.",
    )
    ignore_case: bool = Field(default=True, description="Capital and small letters are the same.")
    ignore_punctuation: bool = Field(default=False, description="Punctuation is a space.")


def score(task: JudgeAnswer, params: FuzzyMatchParams) -> Scored:
    alike = partial(
        simplified, case=params.ignore_case, punctuation=params.ignore_punctuation, articles=False, accents=False
    )
    answer = alike(task.answer)
    known = references(task.case, params.references)
    value, nearest = max(
        ((similarity(answer, alike(each), params.method), each) for each in known), key=lambda pair: pair[0]
    )
    passed = reaches(value, params.threshold)
    return scored(
        value,
        passed=passed,
        reason=f"{value:.2f} alike to the nearest of {len(known)}, {params.threshold:.2f} passes."
        if len(known) > 1
        else f"{value:.2f} alike, {params.threshold:.2f} passes.",
        nearest=nearest,
        references=len(known),
        method=f"rapidfuzz {params.method}",
        threshold=params.threshold,
    )


EVALUATOR = by_program(
    kind="fuzzy_match",
    title="Fuzzy match",
    description="The answer is nearly the expected answer or one of its variations; how nearly is the score.",
    params=FuzzyMatchParams,
    score=score,
    examples=(
        Example(
            name="a letter too many",
            answer="New York Meats",
            case={"expected_output": "New York Mets"},
            verdict={"outcome": "scored", "passed": True},
        ),
        Example(
            name="the nearest variation counts",
            answer="use the portal, two weeks before",
            case={
                "ground_truth": {
                    "answer": "Submit a vacation request through the employee portal.",
                    "acceptable_answers": ["Use the portal two weeks before"],
                }
            },
            verdict={"passed": True, "reason": "0.98 alike to the nearest of 2, 0.80 passes."},
        ),
        Example(
            name="words in another order",
            answer="France's capital: Paris",
            case={"excellent": "Paris capital France's"},
            params={"method": "token_sort_ratio", "ignore_punctuation": True},
            verdict={"raw": 1.0},
        ),
        Example(name="empty", answer=" ", case={"excellent": "Paris"}, verdict={"raw": 0.0, "passed": False}),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
