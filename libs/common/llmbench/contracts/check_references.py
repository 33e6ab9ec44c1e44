"""Request to the judge: can an evaluator read the references of these cases in one way?"""

from typing import Any, ClassVar, Literal

from pydantic import Field

from llmbench.contracts.base import Message, Value
from llmbench.contracts.case import Case

CASES_PER_REQUEST = 100


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
    """`message` says what is wrong with the case's references, and what to do."""

    task_id: str
    message: str


class ReferencesChecked(Value):
    """The reply: `checked` cases were looked at (0 for an evaluator that reads no references); `problems` are those
    whose scores would be errored, in the order of the request."""

    checked: int
    problems: tuple[ReferenceProblem, ...] = ()
