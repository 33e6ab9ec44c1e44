"""Starts with: the answer must begin with one of the given texts."""

from pydantic import Field

from judge.domain.references import references
from judge.domain.simplified import plain
from judge.evaluators.base import Example, Params, Text, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer


class StartsWithParams(Params):
    texts: tuple[Text, ...] = Field(
        default=(),
        max_length=100,
        description="The texts of which the answer must begin with one. Without any, the case's references are used.",
    )
    ignore_case: bool = Field(default=False, description="Ignore the difference between capital and small letters.")


def score(task: JudgeAnswer, params: StartsWithParams) -> Scored:
    texts = references(task.case, params.texts)
    answer = _plain(task.answer, params)
    beginning = next((text for text in texts if answer.startswith(_plain(text, params))), None)
    reason = "The answer begins otherwise." if beginning is None else "The answer begins so."
    return scored(float(beginning is not None), passed=beginning is not None, reason=reason, matched=beginning)


def _plain(text: str, params: StartsWithParams) -> str:
    """Normalise a text, because models often begin an answer with white space, invisible characters or typographic
    quotes."""
    text = plain(text).lstrip()
    return text.casefold() if params.ignore_case else text


EVALUATOR = by_program(
    kind="starts_with",
    title="Starts with",
    description="The answer begins with one of the texts. Leading white space is ignored.",
    params=StartsWithParams,
    score=score,
    schema_version="2",
    examples=(
        Example(
            name="begins so, behind a line break",
            answer="\nYes, it is.",
            params={"texts": ["Yes"]},
            verdict={"outcome": "scored", "raw": 1.0, "passed": True},
        ),
        Example(
            name="another case counts",
            answer="yes, it is.",
            params={"texts": ["Yes"]},
            verdict={"raw": 0.0, "passed": False},
        ),
        Example(
            name="case ignored, the case's reference",
            answer="YES",
            case={"expected_output": "yes"},
            params={"ignore_case": True},
            verdict={"raw": 1.0},
        ),
        Example(name="nothing to look for is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
