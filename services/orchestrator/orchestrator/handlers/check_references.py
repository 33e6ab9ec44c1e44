"""References that an evaluator cannot read are told of before anything is paid."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from llmbench.contracts.case import Case
from llmbench.contracts.check_references import CASES_PER_REQUEST, ReferenceProblem
from llmbench.errors import FieldError
from orchestrator.domain.new_run import EvaluatorChoice, NewEvaluator, NewRun
from orchestrator.domain.self_judging import Warning
from orchestrator.handlers.choose_evaluators import EvaluatorCatalogue
from orchestrator.handlers.refusal import invalid

CASES_CHECKED = 1_000
"""The first cases of a run that are looked at, so that a run of 100,000 is created as fast as before."""
_REQUEST_CHARS = 1_000_000
_NAMED = 3
_MESSAGE_CHARS = 220


class CaseReader(Protocol):
    async def first_cases(self, new: NewRun, limit: int) -> list[Case]:
        """Return the first cases of the run, with what references are read from."""
        ...


async def check_references(
    factory: CaseReader,
    catalogue: EvaluatorCatalogue,
    new: NewRun,
    choices: Sequence[EvaluatorChoice],
    evaluators: Sequence[NewEvaluator],
) -> list[Warning]:
    """Return a warning for each evaluator that cannot read some of the cases. Raises a 422 `Problem` where one can
    read none of them."""
    reading = [(choice, one) for choice, one in zip(choices, evaluators, strict=True) if one.facts.reads_references]
    if not reading:
        return []
    cases = await factory.first_cases(new, CASES_CHECKED + 1)
    more = len(cases) > CASES_CHECKED
    cases = cases[:CASES_CHECKED]
    errors, found = [], []
    for choice, evaluator in reading:
        problems: list[ReferenceProblem] = []
        checked = 0
        for batch in _batches(cases):
            reply = await catalogue.check_references(evaluator.facts, batch)
            checked += reply.checked
            problems += reply.problems
        if problems and len(problems) == checked:
            errors.append(FieldError(choice.place, _told(evaluator.slot, problems, checked, more=more)))
        elif problems:
            found.append(Warning("unreadable_references", _told(evaluator.slot, problems, checked, more=more)))
    if errors:
        raise invalid(errors)
    return found


def _told(name: str, problems: Sequence[ReferenceProblem], checked: int, *, more: bool) -> str:
    looked_at = f"the first {checked:,} cases (the others were not checked)" if more else f"{checked:,} cases"
    if len(problems) == checked:
        begin = f"'{name}' cannot read the references of any of {looked_at}"
    else:
        begin = (
            f"'{name}' cannot read the references of {len(problems):,} of {looked_at}: their answers will be paid for, "
            "and their scores will be errored"
        )
    shown = " ".join(_short(problem.message) for problem in problems[:_NAMED])
    rest = f" And {len(problems) - _NAMED:,} more." if len(problems) > _NAMED else ""
    return f"{begin}. {shown}{rest}"


def _short(message: str) -> str:
    return message if len(message) <= _MESSAGE_CHARS else message[: _MESSAGE_CHARS - 1] + "…"


def _batches(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """Bounded in number and size; a case too large for a message is not checked."""
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
