"""Find reference answers that an evaluator cannot read, before any call is paid for."""

from collections.abc import Awaitable, Callable, Iterator, Sequence

from llmbench.contracts.case import Case
from llmbench.contracts.check_references import CASES_PER_REQUEST, ReferenceProblem
from llmbench.errors import FieldError
from orchestrator.kernel.domain.limits import Limits
from orchestrator.kernel.domain.new_run import EvaluatorChoice, NewEvaluator
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.domain.self_judging import Warning
from orchestrator.runs.ports.catalogue import EvaluatorCatalogue

CASES_CHECKED = 1_000
"""The maximum number of cases that are checked. The limit keeps the creation of a run with 100,000 cases as quick as
with 1,000."""
_REQUEST_CHARS = 1_000_000
_NAMED = 3
_MESSAGE_CHARS = 220

FirstCases = Callable[[int], Awaitable[Sequence[Case]]]
"""A function that returns the first cases of a run, at most as many as its argument says."""


async def check_references(
    first_cases: FirstCases,
    catalogue: EvaluatorCatalogue,
    choices: Sequence[EvaluatorChoice],
    evaluators: Sequence[NewEvaluator],
    *,
    what: str = "run",
) -> list[Warning]:
    """Return a warning for each evaluator that cannot read the reference answers of some of its cases.

    At most the first `CASES_CHECKED` cases are checked, and fewer if the judge service needs too long. `choices` and
    `evaluators` describe the same evaluators, in the same order. Raises a `Problem`: 422 if an evaluator can read none
    of the checked references, 503 if the judge service does not answer. `what` names the kind of request in the title
    of the 422.
    """
    reading = [
        (choice, evaluator)
        for choice, evaluator in zip(choices, evaluators, strict=True)
        if evaluator.facts.reads_references
    ]
    if not reading:
        return []
    cases = await first_cases(CASES_CHECKED + 1)
    more = len(cases) > CASES_CHECKED
    cases = cases[:CASES_CHECKED]
    errors, warnings = [], []
    for choice, evaluator in reading:
        problems: list[ReferenceProblem] = []
        checked = 0
        for batch in _batches(_scored_by(evaluator.limits, cases)):
            reply = await catalogue.check_references(evaluator.facts, batch)
            checked += reply.checked
            problems += reply.problems
            more = more or reply.checked < len(batch)
        if problems and len(problems) == checked:
            errors.append(FieldError(choice.place, _message(evaluator.slot, problems, checked, more=more)))
        elif problems:
            warnings.append(Warning("unreadable_references", _message(evaluator.slot, problems, checked, more=more)))
    if errors:
        raise invalid(errors, what)
    return warnings


def _scored_by(limits: Limits, cases: Sequence[Case]) -> list[Case]:
    if not limits:
        return list(cases)
    return [case for case in cases if limits.apply_to(case.model_dump(mode="json", exclude_none=True))]


def _message(name: str, problems: Sequence[ReferenceProblem], checked: int, *, more: bool) -> str:
    scope = f"the first {checked:,} cases (the others were not checked)" if more else f"{checked:,} cases"
    if len(problems) == checked == 1:
        begin = f"'{name}' cannot read the reference of the only case that it scores"
    elif len(problems) == checked:
        begin = f"'{name}' cannot read the references of any of {scope}"
    else:
        begin = (
            f"'{name}' cannot read the references of {len(problems):,} of {scope}: their answers will be paid for, "
            "and their scores will be errored"
        )
    shown = " ".join(_short(problem.message) for problem in problems[:_NAMED])
    rest = f" And {len(problems) - _NAMED:,} more." if len(problems) > _NAMED else ""
    return f"{begin}. {shown}{rest}"


def _short(message: str) -> str:
    return message if len(message) <= _MESSAGE_CHARS else message[: _MESSAGE_CHARS - 1] + "…"


def _batches(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """Yield the cases in batches of at most `CASES_PER_REQUEST` cases and `_REQUEST_CHARS` characters. A case with more
    characters is left out."""
    batch: list[Case] = []
    size = 0
    for case in cases:
        length = len(case.model_dump_json())
        if length > _REQUEST_CHARS:
            continue
        if batch and (len(batch) == CASES_PER_REQUEST or size + length > _REQUEST_CHARS):
            yield batch
            batch, size = [], 0
        batch.append(case)
        size += length
    if batch:
        yield batch
