"""What `/api/evaluators` gives."""

from pydantic import BaseModel

from llmbench.contracts.list_evaluators import EvaluatorInfo


class EvaluatorPage(BaseModel):
    """`params_schema` is the JSON Schema of an evaluator's parameters; one that `needs_judge` asks a model."""

    items: list[EvaluatorInfo]
