"""The right answers to compare with: one way to find them, for every evaluator."""

from judge.domain.cannot_score import CannotScore
from llmbench.contracts.case import Case


def references(case: Case, chosen: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Those of the parameters; else the case's: expected output, ground truth's answer and acceptable
    answers, excellent answer. Without doubles and blanks, in this order. Raises `CannotScore` when there are none.
    """
    found = _worded(chosen) or _worded(_of_case(case))
    if not found:
        raise _nothing(case)
    return found


def accepted_answers(case: Case, chosen: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the same, but with blank ones where no other is given: the case says that nothing is to be answered.

    Raises `CannotScore` where the case says nothing at all."""
    found = _worded(chosen) or chosen[:1] or _worded(_of_case(case))
    if found:
        return found
    if any(text is not None for text in (case.expected_output, *_of_truth(case))):
        return ("",)
    raise _nothing(case)


def _of_case(case: Case) -> tuple[str | None, ...]:
    return (case.expected_output, *_of_truth(case), case.excellent)


def _of_truth(case: Case) -> tuple[str | None, ...]:
    truth = case.ground_truth
    return (truth.answer, *truth.acceptable_answers) if truth else ()


def _nothing(case: Case) -> CannotScore:
    return CannotScore(
        f"The case {case.task_id!r} has nothing to compare with: no expected output, no ground truth and no "
        "excellent answer. Give it one, or name references in the evaluator's parameters."
    )


def _worded(texts: tuple[str | None, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text and text.strip()))
