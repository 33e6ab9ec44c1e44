"""Exact match: the answer is one of the references, but for differences that are said not to count."""

from functools import partial

from pydantic import Field

from judge.domain.references import references
from judge.domain.simplified import simplified
from judge.evaluators.base import Example, ReferenceParams, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer


class ExactMatchParams(ReferenceParams):
    ignore_case: bool = Field(default=False, description="Capital and small letters are the same.")
    ignore_punctuation: bool = Field(default=False, description="Punctuation is a space.")
    ignore_articles: bool = Field(default=False, description="“a”, “an” and “the” do not count.")
    ignore_accents: bool = Field(default=False, description="“é” is “e”.")


def score(task: JudgeAnswer, params: ExactMatchParams) -> Scored:
    known = references(task.case, params.references)
    alike = partial(
        simplified,
        case=params.ignore_case,
        punctuation=params.ignore_punctuation,
        articles=params.ignore_articles,
        accents=params.ignore_accents,
    )
    answer = alike(task.answer)
    matched = next((each for each in known if alike(each) == answer), None)
    if matched is None:
        reason = f"The answer is none of {len(known)} references." if len(known) > 1 else "The answer is another."
        return scored(0, passed=False, reason=reason, references=len(known))
    return scored(1, passed=True, reason="The answer is the reference.", matched=matched, references=len(known))


EVALUATOR = by_program(
    kind="exact_match",
    title="Exact match",
    description="The answer is one of the references, word for word. White space and the two ways to write an "
    "accented letter never count; case, punctuation, articles and accents need not.",
    params=ExactMatchParams,
    score=score,
    examples=(
        Example(
            name="the same but for white space",
            answer=" 42\n",
            case={"expected_output": "42"},
            verdict={"outcome": "scored", "raw": 1.0, "normalised": 1.0, "passed": True},
        ),
        Example(
            name="another case counts",
            answer="paris",
            case={"excellent": "Paris"},
            verdict={"raw": 0.0, "passed": False, "reason": "The answer is another."},
        ),
        Example(
            name="nothing counts but the letters",
            answer="The “Cafe\u0301”!",
            case={"ground_truth": {"answer": "tea", "acceptable_answers": ["cafe"]}},
            params={"ignore_case": True, "ignore_punctuation": True, "ignore_articles": True, "ignore_accents": True},
            verdict={"raw": 1.0},
        ),
        Example(
            name="references of the parameters go before the case's",
            answer="yes",
            case={"expected_output": "no"},
            params={"references": ["yes", "aye"]},
            verdict={"raw": 1.0},
        ),
        Example(name="an empty answer matches nothing", answer="", case={"excellent": "Paris"}, verdict={"raw": 0.0}),
        Example(
            name="nothing to compare with is no score",
            answer="42",
            case={"excellent": " "},
            verdict={"outcome": "errored"},
        ),
    ),
)
