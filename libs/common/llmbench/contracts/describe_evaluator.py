"""Request to the judge: validate these parameters of an evaluator, and describe the evaluator with them."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from llmbench.contracts.base import Message, Value


class DescribeEvaluator(Message):
    SUBJECT: ClassVar[str] = "req.evaluator.describe"

    type: Literal["llmbench.req.describe_evaluator.v1"] = "llmbench.req.describe_evaluator.v1"
    kind: str
    params: dict[str, Any] = Field(default_factory=dict)

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"type": "llmbench.req.describe_evaluator.v1", "kind": "contains", "params": {"text": "Paris"}},
    )


class EvaluatorFacts(Value):
    """The description of an evaluator with the requested parameters: its identity, its scale, and what it needs.

    `params` are the validated parameters; for most evaluators they include the defaults. `prompt_hash` is empty when no
    chat model is used. `judge_asks` is the kind of request sent to the judge model. `pass_mark` is the lowest passing
    score on the evaluator's own scale, null if the evaluator has no such score. `only` is the filter of the cases that
    the evaluator can score, null for all cases.
    """

    kind: str
    title: str
    needs_judge: bool
    params: dict[str, Any]
    prompt_hash: str = ""
    schema_name: str
    schema_version: str
    scale_min: float
    scale_max: float
    judge_asks: Literal["chat", "embeddings"] = "chat"
    pass_mark: float | None = None
    only: dict[str, Any] | None = Field(
        default=None, description="The filter of the cases that it can score, where it cannot score all."
    )
    reads_references: bool = Field(
        default=False, description="Its references can be unreadable: see req.evaluator.check_references."
    )


class ParamProblem(Value):
    """An invalid parameter. `field` is its dotted path within the parameters; the path is empty if the problem is not
    in one parameter, such as for an unknown evaluator."""

    field: str
    message: str


class EvaluatorDescribed(Value):
    """The judge's reply to `DescribeEvaluator`: `facts` if the parameters are valid, otherwise `problems`."""

    facts: EvaluatorFacts | None = None
    problems: tuple[ParamProblem, ...] = ()
