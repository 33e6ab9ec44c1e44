"""Find the reference answers with which evaluators compare an answer."""

from judge.domain.cannot_score import CannotScore
from llmbench.contracts.case import Case


def references(case: Case, chosen: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the reference answers: `chosen`, which come from the evaluator's parameters, or else the references of the
    case.

    The case's references are its expected output, the ground truth's answer and acceptable answers, and the excellent
    answer, in this order. Duplicates and blank texts are left out. Raises `CannotScore` if no answer remains.
    """
    answers = _worded(chosen) or _worded(_of_case(case))
    if not answers:
        raise _nothing(case)
    return answers


def accepted_answers(case: Case, chosen: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the reference answers that are not blank: those of `chosen` or, if `chosen` is empty, those of the case.

    If all of them are blank, return a single blank text: an empty answer is then correct. A case whose only reference
    is a blank excellent answer has no reference. Raises `CannotScore` if there is none.
    """
    answers = _worded(chosen) or chosen[:1] or _worded(_of_case(case))
    if answers:
        return answers
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
