"""Exact match: the answer equals one of the references.

Differences in white space do not count, nor do variants of a character, such as typographic and plain quotes. The
parameters name further differences to ignore.
"""

from collections.abc import Callable
from functools import partial
from typing import Literal

from pydantic import Field, model_validator

from judge.domain.extraction import Extraction
from judge.domain.references import references
from judge.domain.simplified import plain, simplified, squad
from judge.evaluators.base import Example, ReferenceParams, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer


class ExactMatchParams(ReferenceParams):
    ignore_case: bool = Field(default=False, description="Ignore the difference between capital and small letters.")
    ignore_punctuation: bool = Field(
        default=False,
        description="Replace punctuation by a space, unless it is part of a value: the sign of -5, the point of "
        "3.14, the mark of C#. “U.S.A.” equals “USA”, “1,000” equals “1000”.",
    )
    ignore_articles: bool = Field(default=False, description="Ignore “a”, “an” and “the”.")
    ignore_accents: bool = Field(default=False, description="Ignore accents: “é” equals “e”.")
    profile: Literal["default", "squad"] = Field(
        default="default",
        description="The comparison of a published benchmark. `squad` ignores case, ASCII punctuation and articles, "
        "as SQuAD's script (v1.1) does. A profile allows no other parameter but the references.",
    )

    @model_validator(mode="after")
    def _profiles_stand_alone(self) -> "ExactMatchParams":
        if self.profile != "default" and (others := self._ignored()):
            names = ", ".join(f"ignore_{name}" for name in others)
            raise ValueError(f"profile: {self.profile} decides what counts: leave {names} out")
        return self

    def compared(self) -> Callable[[str], str]:
        """Return the function that normalises a text before it is compared: it removes the differences to ignore."""
        if self.profile == "squad":
            return lambda text: squad(plain(text)) or " ".join(plain(text).split()).lower()
        return partial(
            simplified,
            case=self.ignore_case,
            punctuation=self.ignore_punctuation,
            articles=self.ignore_articles,
            accents=self.ignore_accents,
        )

    def rule(self) -> str:
        """Return the name of the normalisation that these parameters choose, which a score's details show."""
        if self.profile != "default":
            return self.profile
        ignored = self._ignored()
        return f"whole text without {', '.join(ignored)}" if ignored else "whole text"

    def _ignored(self) -> list[str]:
        names = ("case", "punctuation", "articles", "accents")
        return [name for name in names if getattr(self, f"ignore_{name}")]


def score(task: JudgeAnswer, params: ExactMatchParams) -> Scored:
    known = references(task.case, params.references)
    normalise = params.compared()
    answer = normalise(task.answer)
    matched = next((each for each in known if normalise(each) == answer), None)
    nearest = matched if matched is not None else known[0]
    rule = "identical" if matched == task.answer else params.rule()
    extraction = Extraction(
        answer=answer or None, answer_rule=rule, reference=normalise(nearest) or None, reference_rule=rule
    )
    if matched is None:
        reason = (
            f"The answer is none of {len(known)} references."
            if len(known) > 1
            else "The answer differs from the reference."
        )
        return scored(0, passed=False, reason=reason, references=len(known), extraction=extraction)
    reason = "The answer is the reference."
    return scored(1, passed=True, reason=reason, matched=matched, references=len(known), extraction=extraction)


EVALUATOR = by_program(
    kind="exact_match",
    title="Exact match",
    description="The answer equals one of the references, word for word. Differences in white space and in Unicode's "
    "forms of a character (composed accents, full-width, typographic quotes, zero-width) never count. "
    "Case, punctuation, articles and accents may be ignored.",
    params=ExactMatchParams,
    score=score,
    schema_version="3",
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
            verdict={"raw": 0.0, "passed": False, "reason": "The answer differs from the reference."},
        ),
        Example(
            name="nothing counts but the letters",
            answer="The “Cafe\u0301”!",
            case={"ground_truth": {"answer": "tea", "acceptable_answers": ["cafe"]}},
            params={"ignore_case": True, "ignore_punctuation": True, "ignore_articles": True, "ignore_accents": True},
            verdict={"raw": 1.0},
        ),
        Example(
            name="punctuation that is part of a value counts",
            answer="-5.",
            case={"ground_truth": {"acceptable_answers": ["5", "C", "3"]}},
            params={"ignore_punctuation": True},
            verdict={"raw": 0.0},
        ),
        Example(
            name="the points of an abbreviation do not",
            answer="`U.S.A.`",
            case={"expected_output": "USA"},
            params={"ignore_punctuation": True},
            verdict={
                "raw": 1.0,
                "details": {
                    "extraction": {
                        "answer": "USA",
                        "answer_rule": "whole text without punctuation",
                        "reference": "USA",
                        "reference_rule": "whole text without punctuation",
                    }
                },
            },
        ),
        Example(
            name="as SQuAD compares",
            answer=" the beatles.\n",
            case={"expected_output": "Beatles"},
            params={"profile": "squad"},
            verdict={"raw": 1.0, "passed": True},
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
