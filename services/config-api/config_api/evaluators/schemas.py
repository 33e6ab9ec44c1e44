"""Define the response of `/api/evaluators`."""

from pydantic import BaseModel

from llmbench.contracts.list_evaluators import EvaluatorInfo


class EvaluatorPage(BaseModel):
    """All kinds of evaluators. `params_schema` is the JSON Schema of an evaluator's parameters. `needs_judge` says
    whether the evaluator calls a model."""

    items: list[EvaluatorInfo]
