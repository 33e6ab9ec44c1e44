"""Request to the judge: list all evaluators."""

from typing import Any, ClassVar, Literal

from llmbench.contracts.base import Message, Value


class ListEvaluators(Message):
    SUBJECT: ClassVar[str] = "req.evaluator.list"

    type: Literal["llmbench.req.list_evaluators.v1"] = "llmbench.req.list_evaluators.v1"

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({"type": "llmbench.req.list_evaluators.v1"},)


class EvaluatorInfo(Value):
    """An evaluator that users can choose; `params_schema` is the JSON Schema of its parameters.

    An evaluator with `needs_judge` always needs a judge model. With `may_need_judge`, the parameters decide.
    """

    kind: str
    title: str
    description: str
    needs_judge: bool
    params_schema: dict[str, Any]
    may_need_judge: bool = False


class EvaluatorsListed(Value):
    evaluators: tuple[EvaluatorInfo, ...]
