"""The right answers to compare with: one way to find them, for every evaluator."""

from judge.domain.cannot_score import CannotScore
from llmbench.contracts.case import Case


def references(case: Case, chosen: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Those of the parameters; else the case's: expected output, ground truth's answer and acceptable
    answers, excellent answer. Without doubles and blanks, in this order. Raises `CannotScore` when there are none.
    """
    truth = case.ground_truth
    known = (
        case.expected_output,
        *((truth.answer, *truth.acceptable_answers) if truth else ()),
        case.excellent,
    )
    found = _worded(chosen) or _worded(known)
    if not found:
        raise CannotScore(
            f"The case {case.task_id!r} has nothing to compare with: no expected output, no ground truth and no "
            "excellent answer. Give it one, or name references in the evaluator's parameters."
        )
    return found


def _worded(texts: tuple[str | None, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text and text.strip()))
