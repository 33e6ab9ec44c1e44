"""List the evaluators, and describe one evaluator with given parameters."""

from judge.evaluators.base import UnfitParams
from judge.evaluators.registry import evaluators, no_such
from llmbench.contracts.describe_evaluator import DescribeEvaluator, EvaluatorDescribed, ParamProblem
from llmbench.contracts.list_evaluators import EvaluatorsListed, ListEvaluators


def list_evaluators(_: ListEvaluators) -> EvaluatorsListed:
    return EvaluatorsListed(evaluators=tuple(evaluator.info() for _, evaluator in sorted(evaluators().items())))


def describe_evaluator(request: DescribeEvaluator) -> EvaluatorDescribed:
    evaluator = evaluators().get(request.kind)
    if evaluator is None:
        return EvaluatorDescribed(problems=(ParamProblem(field="", message=no_such(request.kind)),))
    try:
        return EvaluatorDescribed(facts=evaluator.facts(request.params))
    except UnfitParams as error:
        return EvaluatorDescribed(problems=error.problems)
