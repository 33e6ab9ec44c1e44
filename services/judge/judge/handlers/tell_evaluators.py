"""List the evaluators, and describe one with given parameters."""

from judge.evaluators.base import UnfitParams
from judge.evaluators.registry import evaluators, no_such
from llmbench.contracts.describe_evaluator import DescribeEvaluator, EvaluatorDescribed, ParamProblem
from llmbench.contracts.list_evaluators import EvaluatorsListed, ListEvaluators


def list_evaluators(_: ListEvaluators) -> EvaluatorsListed:
    return EvaluatorsListed(evaluators=tuple(evaluator.info() for _, evaluator in sorted(evaluators().items())))


def describe_evaluator(asked: DescribeEvaluator) -> EvaluatorDescribed:
    evaluator = evaluators().get(asked.kind)
    if evaluator is None:
        return EvaluatorDescribed(problems=(ParamProblem(field="", message=no_such(asked.kind)),))
    try:
        return EvaluatorDescribed(facts=evaluator.facts(asked.params))
    except UnfitParams as error:
        return EvaluatorDescribed(problems=error.problems)
