"""Ask the orchestrator for the answers of a run that people are to label. Only the orchestrator reads the results of
runs."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from uuid import UUID

from nats.aio.client import Client
from pydantic import BaseModel, ValidationError

from config_api.annotation.schemas import Gold, RunSource, Sampling
from config_api.publishing import SERVICE
from config_api.versions import missing
from llmbench.contracts.base import Message
from llmbench.contracts.read_answers import AnswerOfRun, AnswersRead, ReadAnswers
from llmbench.contracts.sample_answers import MOST_ANSWERS, AnswerName, AnswersSampled, ChosenAnswer, SampleAnswers
from llmbench.errors import FieldError, Problem
from llmbench.ids import new_id
from llmbench.messaging.publish import NO_REPLY, request

TIMEOUT_S: Final = 60.0
_AT_ONCE: Final = 100

Reply = TypeVar("Reply", bound=BaseModel)


@dataclass(frozen=True)
class NewAnswer:
    """An answer, or a pair of answers, that becomes an item. `gold` has its right labels, if they are known."""

    answer: ChosenAnswer
    gold: Mapping[str, Any] | None = None


class RunAnswers:
    def __init__(self, nats: Callable[[], Client | None]) -> None:
        self._nats = nats

    async def sample(
        self, source: RunSource, sampling: Sampling, seed: int, gold: Sequence[Gold] = ()
    ) -> AnswersSampled:
        """Choose answers of the run, and find the answers that `gold` names.

        Raises a 404 problem for an unknown run, and a 409 problem if the run has nothing to label. Raises a 503 problem
        if the orchestrator does not answer.
        """
        sampled = await self._ask(
            SampleAnswers(
                run_id=source.run_id,
                target_ids=tuple(source.target_ids),
                pairs=source.pairs,
                size=sampling.sample_size or MOST_ANSWERS,
                priority=sampling.priority,
                audit_share=sampling.audit_share,
                seed=seed,
                named=tuple(AnswerName(case=each.case, target=each.target, epoch=each.epoch) for each in gold),
            ),
            AnswersSampled,
        )
        if not sampled.found:
            raise missing("run", source.run_id)
        if sampled.problem is not None:
            raise Problem(409, "Nothing to label", f"{sampled.problem[0].upper()}{sampled.problem[1:]}.")
        if sampling.sample_size is None and sampled.total > MOST_ANSWERS:
            most = f"a task has at most {MOST_ANSWERS:,} items, and the run has {sampled.total:,} answers"
            raise _invalid("sampling_config.sample_size", f"{most}: name a sample_size")
        if len(sampled.named) != len(gold):
            raise _unanswered("the orchestrator runs another version of llmbench")
        return sampled

    async def items(self, run_id: UUID, chosen: Sequence[NewAnswer]) -> AsyncIterator[Sequence[dict[str, Any]]]:
        """Yield pages of rows for the table of items, in the order of `chosen`. The rows lack the id of the task.

        `test_case_id` is the id that the answer's case has in the run. It may belong to no case of a dataset.
        """
        names: set[str] = set()
        for first in range(0, len(chosen), _AT_ONCE):
            page = chosen[first : first + _AT_ONCE]
            answers = await self._read(run_id, [each.answer for each in page])
            yield [_item(each, answers, names, position) for position, each in enumerate(page, start=first + 1)]

    async def _read(self, run_id: UUID, chosen: Sequence[ChosenAnswer]) -> dict[UUID, AnswerOfRun]:
        wanted = [id_ for each in chosen for id_ in (each.item_id, each.other_item_id) if id_ is not None]
        found: dict[UUID, AnswerOfRun] = {}
        left = wanted
        while left:
            read = await self._ask(ReadAnswers(run_id=run_id, item_ids=tuple(left)), AnswersRead)
            if read.too_large:
                message = f"an answer of the run is too large to be labelled: item {read.too_large[0]}"
                raise _invalid("run", message)
            found |= {answer.item_id: answer for answer in read.answers}
            left = list(read.left)
        if gone := [id_ for id_ in wanted if id_ not in found]:
            raise Problem(409, "Run changed", f"The answer {gone[0]} is gone: the run was deleted, or judged again.")
        return found

    async def _ask(self, question: Message, reply: type[Reply]) -> Reply:
        nats = self._nats()
        if nats is None:
            raise _unanswered("NATS does not answer")
        try:
            return reply.model_validate_json(await request(nats, question, service=SERVICE, timeout_s=TIMEOUT_S))
        except NO_REPLY as error:
            raise _unanswered("the orchestrator does not answer. Is it running? Try again in a moment") from error
        except ValidationError as error:
            raise _unanswered("the orchestrator runs another version of llmbench") from error


def _item(new: NewAnswer, answers: Mapping[UUID, AnswerOfRun], names: set[str], position: int) -> dict[str, Any]:
    chosen = new.answer
    answer = answers[chosen.item_id]
    content: dict[str, Any] = {"input": answer.input, "output": answer.answer, "reference": answer.reference}
    if chosen.other_item_id is None:
        content["target"] = answer.target
        name = f"{answer.case} · {answer.target}"
    else:
        shown = (answer, answers[chosen.other_item_id])
        content["output"] = None
        content["answers"] = [{"text": each.answer, "target": each.target} for each in shown]
        name = answer.case
    return {
        "id": new_id(),
        "position": position,
        "name": _unique(f"{name} · {answer.epoch}" if answer.epoch > 1 else name, names),
        "content": content,
        "is_audit": chosen.is_audit,
        "test_case_id": answer.case_id,
        "gold": new.gold,
        "run_item_id": chosen.item_id,
        "other_run_item_id": chosen.other_item_id,
    }


def _unique(name: str, names: set[str]) -> str:
    """Return `name`, with a number appended if `names` already has it. Add the result to `names`."""
    number, unique = 1, name
    while unique in names:
        number += 1
        unique = f"{name} ({number})"
    names.add(unique)
    return unique


def _invalid(field: str, message: str) -> Problem:
    fault = FieldError(field, message)
    return Problem(422, "Invalid annotation task", f"{field}: {message}", errors=[fault])


def _unanswered(reason: str) -> Problem:
    return Problem(503, "The orchestrator does not answer", f"The answers of the run could not be read: {reason}.")
