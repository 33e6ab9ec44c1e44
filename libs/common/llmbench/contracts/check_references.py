"""Request to the judge: check whether an evaluator can use the references of these cases."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from llmbench.contracts.base import Message, Value
from llmbench.contracts.case import Case

CASES_PER_REQUEST = 100
READING_S = 60.0
"""The judge's time limit for one request, in seconds: parsing mathematical expressions can take long."""


class CheckReferences(Message):
    SUBJECT: ClassVar[str] = "req.evaluator.check_references"

    type: Literal["llmbench.req.check_references.v1"] = "llmbench.req.check_references.v1"
    kind: str
    params: dict[str, Any] = Field(default_factory=dict)
    cases: tuple[Case, ...] = Field(max_length=CASES_PER_REQUEST)

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.req.check_references.v1",
            "kind": "numeric",
            "params": {},
            "cases": [
                {
                    "id": "0193a000-0000-7000-8000-000000000006",
                    "task_id": "arith-001",
                    "category": "arithmetic",
                    "question": "What is 17 + 25?",
                    "expected_output": "42 or 43",
                }
            ],
        },
    )


class ReferenceProblem(Value):
    """A case whose references the evaluator cannot use. `message` says what is wrong and how to correct it."""

    task_id: str
    message: str


class ReferencesChecked(Value):
    """The judge's reply. The first `checked` cases of the request were checked.

    `checked` is 0 if the evaluator is unknown, reads no references, or has invalid parameters. It is lower than the
    number of cases if the time limit `READING_S` was reached. `problems` are the checked cases whose references the
    evaluator cannot use, in the order of the request; their scores would have the outcome `errored`.
    """

    checked: int
    problems: tuple[ReferenceProblem, ...] = ()
