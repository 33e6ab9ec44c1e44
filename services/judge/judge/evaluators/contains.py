"""Contains: any or all of the given texts must occur in the answer, or none of them."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

from pydantic import Field, model_validator

from judge.domain.extraction import Extraction
from judge.domain.references import references
from judge.domain.simplified import simplified
from judge.domain.whole_words import stands_in
from judge.evaluators.base import Example, Params, Text, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer


class ContainsParams(Params):
    texts: tuple[Text, ...] = Field(
        default=(),
        max_length=100,
        description="The texts to look for; a single one may be given as `text`. Without any, the case's references "
        "are used.",
    )
    mode: Literal["any", "all"] = Field(
        default="any", description="`any`: one of the texts is enough. `all`: every text is required."
    )
    ignore_case: bool = Field(default=True, description="Ignore the difference between capital and small letters.")
    whole_words: bool = Field(
        default=False,
        description="A text must not be part of a longer word or number: “art” is not in “party”, 5 not in -5 or 3.5.",
    )
    absent: bool = Field(
        default=False, description="Inverts the condition: none of the texts may be in the answer, whatever the mode."
    )

    @model_validator(mode="before")
    @classmethod
    def _one_text(cls, given: Any) -> Any:
        if isinstance(given, dict) and isinstance(given.get("text"), str) and "texts" not in given:
            return {**{name: value for name, value in given.items() if name != "text"}, "texts": [given["text"]]}
        return given


def score(task: JudgeAnswer, params: ContainsParams) -> Scored:
    texts = references(task.case, params.texts)
    normalise = partial(simplified, case=params.ignore_case, punctuation=False, articles=False, accents=False)
    answer = normalise(task.answer)
    present = [text for text in texts if stands_in(answer, normalise(text), whole_words=params.whole_words)]
    enough = not present if params.absent else len(present) == len(texts) if params.mode == "all" else bool(present)
    return scored(
        float(enough),
        passed=enough,
        reason=f"{len(present)} of {len(texts)} texts {'is' if len(present) == 1 else 'are'} in the answer.",
        found=len(present),
        missing=[text[:100] for text in texts if text not in present][:10],
        extraction=Extraction(
            answer=_listed(present),
            answer_rule="whole words" if params.whole_words else "contained",
            reference=_listed(texts),
            reference_rule=f"{'none' if params.absent else params.mode} of the texts",
        ),
    )


def _listed(texts: Sequence[str]) -> str | None:
    return ", ".join(f"“{text[:100]}”" for text in texts[:10]) + (" …" if len(texts) > 10 else "") or None


EVALUATOR = by_program(
    kind="contains",
    title="Contains",
    description="The answer contains any of the texts, or all of them; or none, if they must be absent.",
    params=ContainsParams,
    score=score,
    schema_version="2",
    examples=(
        Example(
            name="one text, in another case",
            answer="It is PARIS.",
            params={"text": "Paris"},
            verdict={"outcome": "scored", "raw": 1.0, "passed": True},
        ),
        Example(
            name="all of them",
            answer="Paris and Rome",
            params={"texts": ["Paris", "Rome", "Bern"], "mode": "all"},
            verdict={"raw": 0.0, "reason": "2 of 3 texts are in the answer."},
        ),
        Example(
            name="the case's references",
            answer="I think it is 42",
            case={"expected_output": "42"},
            verdict={"raw": 1.0},
        ),
        Example(
            name="something that must not be there",
            answer="As an AI, I",
            params={"texts": ["as an AI"], "absent": True},
            verdict={"raw": 0.0, "passed": False},
        ),
        Example(
            name="one of those that must all be absent",
            answer="Sorry, no.",
            params={"texts": ["sorry", "cannot"], "mode": "all", "absent": True},
            verdict={"raw": 0.0, "reason": "1 of 2 texts is in the answer."},
        ),
        Example(
            name="a part of a longer word",
            answer="We went to a party.",
            params={"text": "art", "whole_words": True},
            verdict={"raw": 0.0},
        ),
        Example(
            name="a whole word",
            answer="Modern art: it is (still) here",
            params={"text": "Art", "whole_words": True},
            verdict={
                "raw": 1.0,
                "details": {
                    "extraction": {
                        "answer": "“Art”",
                        "answer_rule": "whole words",
                        "reference": "“Art”",
                        "reference_rule": "any of the texts",
                    }
                },
            },
        ),
        Example(name="nothing to look for is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
