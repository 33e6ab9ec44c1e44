"""Define the response of `/api/evaluators`."""

from pydantic import BaseModel

from llmbench.contracts.list_evaluators import EvaluatorInfo


class EvaluatorPage(BaseModel):
    """All kinds of evaluators. `params_schema` is the JSON Schema of an evaluator's parameters.

    An evaluator with `needs_judge` always calls a model. With `may_need_judge`, its parameters decide.
    """

    items: list[EvaluatorInfo]
