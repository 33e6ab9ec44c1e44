"""Fuzzy match: the answer passes if it is similar enough to one of the references."""

from functools import partial

from pydantic import Field

from judge.domain.extraction import Extraction
from judge.domain.references import references
from judge.domain.similarity import Method, likeness
from judge.domain.simplified import simplified
from judge.evaluators.base import Example, ReferenceParams, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.thresholds import reaches


class FuzzyMatchParams(ReferenceParams):
    threshold: float = Field(default=0.8, ge=0, le=1, description="The lowest similarity that passes.")
    method: Method = Field(
        default="ratio",
        description="The measure of rapidfuzz. `ratio`: the share of characters in common. `partial_ratio`: the same "
        "for the best part of the longer text. `token_sort_ratio`: words in any order. "
        "`token_set_ratio`: words of one text within the other.",
    )
    ignore_case: bool = Field(default=True, description="Ignore the difference between capital and small letters.")
    ignore_punctuation: bool = Field(
        default=False, description="Replace punctuation by a space, unless it is part of a value (-5, 3.14, C#)."
    )


def score(task: JudgeAnswer, params: FuzzyMatchParams) -> Scored:
    normalise = partial(
        simplified, case=params.ignore_case, punctuation=params.ignore_punctuation, articles=False, accents=False
    )
    answer = normalise(task.answer)
    known = references(task.case, params.references)
    value, nearest = max(
        ((likeness(answer, normalise(each), params.method), each) for each in known), key=lambda pair: pair[0]
    )
    passed = reaches(value, params.threshold)
    return scored(
        value,
        passed=passed,
        reason=f"Similarity {value:.2f} to the nearest of {len(known)} references; {params.threshold:.2f} passes."
        if len(known) > 1
        else f"Similarity {value:.2f}; {params.threshold:.2f} passes.",
        nearest=nearest,
        references=len(known),
        method=f"rapidfuzz {params.method}",
        threshold=params.threshold,
        extraction=Extraction(
            answer=answer or None,
            answer_rule="whole text",
            reference=normalise(nearest),
            reference_rule="nearest reference" if len(known) > 1 else "whole text",
        ),
    )


EVALUATOR = by_program(
    kind="fuzzy_match",
    title="Fuzzy match",
    description="The answer is similar to the expected answer or one of its variations; the score is the similarity. "
    "Words with up to four letters and numbers pass only if they are equal.",
    params=FuzzyMatchParams,
    score=score,
    schema_version="3",
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
            verdict={"passed": True, "reason": "Similarity 0.98 to the nearest of 2 references; 0.80 passes."},
        ),
        Example(
            name="words in another order",
            answer="France's capital: Paris",
            case={"excellent": "Paris capital France's"},
            params={"method": "token_sort_ratio", "ignore_punctuation": True},
            verdict={"raw": 1.0},
        ),
        Example(
            name="a short word is another by one letter",
            answer="Not",
            case={"expected_output": "No"},
            verdict={"raw": 0.5, "passed": False},
        ),
        Example(
            name="an article is no part of the answer",
            answer="the",
            case={"expected_output": "the cat sat on the mat"},
            params={"method": "token_set_ratio"},
            verdict={"passed": False},
        ),
        Example(
            name="the reference within a longer answer",
            answer="It was Albert Einstein, in 1905.",
            case={"expected_output": "Albert Einstein"},
            params={"method": "partial_ratio"},
            verdict={"raw": 1.0, "passed": True},
        ),
        Example(
            name="punctuation says nothing",
            answer=".",
            case={"expected_output": "It is Paris."},
            params={"method": "partial_ratio"},
            verdict={"raw": 0.0},
        ),
        Example(name="empty", answer=" ", case={"excellent": "Paris"}, verdict={"raw": 0.0, "passed": False}),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
