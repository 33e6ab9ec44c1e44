"""Regex: the answer must match a pattern, or must not match it."""

from typing import Literal

from pydantic import Field, model_validator

from judge.domain.extraction import Extraction
from judge.domain.patterns import LONGEST, BadPattern, Pattern
from judge.evaluators.base import Example, Params, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer


class RegexParams(Params):
    pattern: str = Field(
        min_length=1,
        max_length=LONGEST,
        description="In RE2's syntax: no look-around and no back-references; \\w, \\d and \\b know ASCII, \\p{L} and "
        "\\p{N} every script.",
    )
    where: Literal["anywhere", "whole"] = Field(
        default="anywhere",
        description="Search anywhere in the answer, or match the complete answer without surrounding white space.",
    )
    ignore_case: bool = Field(default=False, description="Ignore the difference between capital and small letters.")
    dot_all: bool = Field(default=False, description="A dot matches line breaks, too.")
    multiline: bool = Field(default=False, description="^ and $ match at the start and end of every line.")
    absent: bool = Field(default=False, description="Inverts the condition: the pattern must not match.")

    @model_validator(mode="after")
    def _compiles(self) -> "RegexParams":
        self.compiled()
        return self

    def compiled(self) -> Pattern:
        try:
            return Pattern(self.pattern, ignore_case=self.ignore_case, dot_all=self.dot_all, multiline=self.multiline)
        except BadPattern as error:
            raise ValueError(f"pattern: {error}") from None


def score(task: JudgeAnswer, params: RegexParams) -> Scored:
    pattern = params.compiled()
    match = pattern.search(task.answer) if params.where == "anywhere" else pattern.fullmatch(task.answer.strip())
    reason = "The pattern matches." if match is not None else "The pattern does not match."
    right = (match is not None) is not params.absent
    extraction = Extraction(
        answer=match, answer_rule=f"matched {params.where}", reference=params.pattern, reference_rule="pattern"
    )
    return scored(float(right), passed=right, reason=reason, matched=match, extraction=extraction)


EVALUATOR = by_program(
    kind="regex",
    title="Regular expression",
    description="The answer matches a regular expression, or must not match it. Matching takes linear time (RE2).",
    params=RegexParams,
    score=score,
    examples=(
        Example(
            name="anywhere",
            answer="The answer is 42.",
            params={"pattern": r"\b4[0-9]\b"},
            verdict={"outcome": "scored", "raw": 1.0, "passed": True, "details": {"matched": "42"}},
        ),
        Example(
            name="the whole answer",
            answer="The answer is 42.",
            params={"pattern": r"\d+", "where": "whole"},
            verdict={"raw": 0.0, "passed": False},
        ),
        Example(
            name="another script, another case",
            answer="Это ПАРИЖ",
            params={"pattern": r"париж$", "ignore_case": True},
            verdict={"raw": 1.0},
        ),
        Example(
            name="must not match",
            answer="Sorry, I cannot.",
            params={"pattern": "(?i)sorry|cannot", "absent": True},
            verdict={"raw": 0.0},
        ),
        Example(
            name="a pattern that would never end elsewhere",
            answer="a" * 5000 + "!",
            params={"pattern": "^(a|aa)+$"},
            verdict={"raw": 0.0},
        ),
    ),
)
