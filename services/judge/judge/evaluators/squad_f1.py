"""SQuAD's F1 and exact match: compare the words of a short answer with the words of the accepted answers."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from judge.domain.extraction import Extraction
from judge.domain.references import accepted_answers
from judge.domain.simplified import squad
from judge.domain.squad import squad_match
from judge.evaluators.base import Example, Params, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.thresholds import reaches

Accepted = Annotated[str, StringConstraints(max_length=20_000)]


class SquadF1Params(Params):
    references: tuple[Accepted, ...] = Field(
        default=(),
        max_length=50,
        description="Accepted answers for every case; an empty one if there is no answer to give. Without them, each "
        "case's own are used: its expected output, its ground truth's answer and acceptable answers, its "
        "excellent answer.",
    )
    measure: Literal["f1", "exact_match"] = Field(
        default="f1", description="The measure that is the score; the other is in the details."
    )
    no_answer: tuple[Accepted, ...] = Field(
        default=(), max_length=20, description='Words that mean "no answer", such as “unanswerable”.'
    )
    pass_mark: float | None = Field(
        default=None, ge=0, le=1, description="The lowest score that passes; without it, an exact match passes."
    )


def score(task: JudgeAnswer, params: SquadF1Params) -> Scored:
    known = accepted_answers(task.case, params.references)
    answer = squad(task.answer)
    if answer in {squad(text) for text in params.no_answer}:
        answer = ""
    matches = [squad_match(answer, reference) for reference in known]
    nearest = max(matches, key=lambda each: (each.f1, each.exact))
    exact = max(each.exact for each in matches)
    value = nearest.f1 if params.measure == "f1" else exact
    return scored(
        value,
        passed=exact == 1 if params.pass_mark is None else reaches(value, params.pass_mark),
        reason=f"F1 {nearest.f1:.3f}, exact match {exact:.0f} (the best of {len(known)}).",
        f1=nearest.f1,
        exact_match=exact,
        references=len(known),
        normalisation="SQuAD v1.1: lower case, no punctuation, no articles, single spaces",
        extraction=Extraction(answer=answer, answer_rule="squad", reference=nearest.reference, reference_rule="squad"),
    )


EVALUATOR = by_program(
    kind="squad_f1",
    title="SQuAD F1",
    description="Counts words in common with the best of the accepted answers, like SQuAD's official script: F1, and "
    "exact match. For short answers taken from a text.",
    params=SquadF1Params,
    score=score,
    examples=(
        Example(
            name="article and additional words",
            answer="The Denver Broncos won the game",
            case={"expected_output": "Denver Broncos"},
            verdict={
                "outcome": "scored",
                "raw": 2 / 3,
                "passed": False,
                "details": {
                    "exact_match": 0.0,
                    "extraction": {
                        "answer": "denver broncos won game",
                        "answer_rule": "squad",
                        "reference": "denver broncos",
                        "reference_rule": "squad",
                    },
                },
            },
        ),
        Example(
            name="the best of several references",
            answer="Bernadette Soubirous",
            case={"ground_truth": {"acceptable_answers": ["Saint Bernadette Soubirous", "Bernadette"]}},
            verdict={"raw": 0.8, "reason": "F1 0.800, exact match 0 (the best of 2)."},
        ),
        Example(
            name="an exact match passes",
            answer="1,000 dollars!",
            params={"references": ["1000 Dollars"], "measure": "exact_match"},
            verdict={"raw": 1.0, "passed": True},
        ),
        Example(
            name="nothing to answer and nothing answered",
            answer="Unanswerable.",
            case={"expected_output": ""},
            params={"no_answer": ["unanswerable"]},
            verdict={"raw": 1.0, "passed": True},
        ),
        Example(name="empty", answer="", case={"expected_output": "Paris"}, verdict={"raw": 0.0, "passed": False}),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
