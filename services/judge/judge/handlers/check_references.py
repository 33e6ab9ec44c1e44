"""Find the cases that an evaluator could not score because of their references."""

import time

from judge.domain.cannot_score import CannotScore
from judge.domain.text import printable
from judge.evaluators.base import UnfitParams
from judge.evaluators.registry import evaluators
from llmbench.contracts.check_references import READING_S, CheckReferences, ReferenceProblem, ReferencesChecked

_MESSAGE_CHARS = 500


def check_references(request: CheckReferences) -> ReferencesChecked:
    """Check whether the evaluator can use the references of each case. Stop after `READING_S` seconds.

    In the reply, `checked` counts the checked cases. It is 0 if the evaluator is unknown or has no check of references,
    or if the parameters are invalid. The request `DescribeEvaluator` reports such errors.
    """
    evaluator = evaluators().get(request.kind)
    if evaluator is None or evaluator.check_reference is None:
        return ReferencesChecked(checked=0)
    try:
        params = evaluator.read(request.params)
    except UnfitParams:
        return ReferencesChecked(checked=0)
    problems = []
    checked = 0
    until = time.monotonic() + READING_S
    for case in request.cases:
        if time.monotonic() > until:
            break
        checked += 1
        try:
            evaluator.check_reference(case, params)
        except CannotScore as error:
            message = printable(str(error), _MESSAGE_CHARS)
            problems.append(ReferenceProblem(task_id=printable(case.task_id, 255), message=message))
    return ReferencesChecked(checked=checked, problems=tuple(problems))
