"""Count a file's cases by what they have for checking an answer, such as a right answer or a rubric. Users see the
counts before they publish the file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from llmbench.files.cases import Case

GRADES = ("excellent", "good", "pass", "incorrect_answer_direction")


class RightAnswers(BaseModel):
    """The numbers of valid rows, by the kind of data with which an answer can be checked. A row with several kinds
    counts once for each."""

    answers: int = Field(default=0, description="Rows with an answer that evaluators compare with.")
    choices: int = Field(default=0, description="Rows with choices and a right answer.")
    grades: int = Field(default=0, description="Rows that describe an answer of a grade, for a judge.")
    citations: int = Field(default=0, description="Rows with sources that an answer has to cite.")
    checks: int = Field(default=0, description="Rows with checks of their own.")
    none: int = Field(default=0, description="Rows without any of these.")


@dataclass(frozen=True)
class Right:
    """Says what a row has for checking an answer: each field is true if the row has data of this kind. The fields are
    those of `RightAnswers`."""

    answers: bool = False
    choices: bool = False
    grades: bool = False
    citations: bool = False
    checks: bool = False


def right_of_case(case: Case) -> Right:
    truth = case.truth or {}
    rubric = truth.get("rubric") or {}
    answers = bool(
        case.expected_output or truth.get("answer") or truth.get("acceptable_answers") or rubric.get("excellent")
    )
    return Right(
        answers=answers,
        choices=answers and has_choices(case.metadata),
        grades=bool(rubric),
        citations=bool(truth.get("citations")),
        checks=bool(case.checks),
    )


def has_choices(metadata: Mapping[str, Any]) -> bool:
    return bool(metadata.get("choices"))


def count(into: RightAnswers, right: Right) -> None:
    """Add one row to the counts in `into`. `right` says which kinds of data the row has."""
    into.answers += right.answers
    into.choices += right.choices
    into.grades += right.grades
    into.citations += right.citations
    into.checks += right.checks
    into.none += not (right.answers or right.grades or right.citations or right.checks)
