"""Which cases an evaluator could not score, because their references cannot be read in one way."""

from judge.domain.cannot_score import CannotScore
from judge.domain.text import printable
from judge.evaluators.base import UnfitParams
from judge.evaluators.registry import evaluators
from llmbench.contracts.check_references import CheckReferences, ReferenceProblem, ReferencesChecked

_MESSAGE_CHARS = 500


def check_references(asked: CheckReferences) -> ReferencesChecked:
    """Parameters that do not fit check nothing: describing the evaluator has told of them."""
    evaluator = evaluators().get(asked.kind)
    if evaluator is None or evaluator.check_reference is None:
        return ReferencesChecked(checked=0)
    try:
        params = evaluator.read(asked.params)
    except UnfitParams:
        return ReferencesChecked(checked=0)
    problems = []
    for case in asked.cases:
        try:
            evaluator.check_reference(case, params)
        except CannotScore as error:
            message = printable(str(error), _MESSAGE_CHARS)
            problems.append(ReferenceProblem(task_id=printable(case.task_id, 255), message=message))
    return ReferencesChecked(checked=len(asked.cases), problems=tuple(problems))
