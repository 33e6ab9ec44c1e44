"""Test that an unexpected error is stored and published like any outcome, and that its command is never repeated."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import UUID

import pytest

from inference_gateway.domain.call import Ask, Command, FinishedCall, PaidAnswer, RememberedCall
from inference_gateway.handlers.in_flight import InFlight
from inference_gateway.handlers.lane_command import Job, LaneHandler, Settlement
from inference_gateway.ports import StoredHeader
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.outcome import Malformed, Rejected
from llmbench.contracts.release_model import ReleaseModel
from llmbench.contracts.run_state import RunGate

pytestmark = pytest.mark.never_rerun


class _Memory:
    """A fake of the ports `Slots`, `Slot`, `Gates` and `Events` in one object. It keeps everything in memory."""

    alive = True
    headers = ()

    def __init__(self) -> None:
        self.remembered: RememberedCall | None = None
        self.stored: dict[UUID, FinishedCall] = {}
        self.told: list[CallFinished] = []

    @asynccontextmanager
    async def hold(self, command: Command, *, answered: bool = False) -> AsyncIterator["_Memory"]:
        call = self.stored.get(command.call_id)
        self.remembered = None if call is None else RememberedCall(call.outcome, call.finished_at)
        yield self

    async def find_answer(self, request_hash: str, epoch: int) -> PaidAnswer | None:
        return None

    async def store(self, command: Command, call: FinishedCall) -> None:
        self.stored[command.call_id] = call

    def known(self, run_id: UUID) -> RunGate:
        return RunGate.OPEN

    async def confirmed(self, run_id: UUID) -> RunGate:
        return RunGate.OPEN

    async def publish(self, event: CallFinished) -> None:
        self.told.append(event)


def _handler(
    memory: _Memory,
    prepare: Callable[[Ask, Sequence[StoredHeader]], Job],
    release: Callable[[ReleaseModel, Sequence[StoredHeader]], Job],
) -> LaneHandler:
    return LaneHandler(
        slots=memory,
        gates=memory,
        events=memory,
        in_flight=InFlight(),
        now=lambda: datetime.now(UTC),
        prepare=prepare,
        release=release,
    )


def _not_built(command: Command, headers: Sequence[StoredHeader]) -> Job:
    raise OverflowError("with what the options hold: secret")


async def test_it_is_an_outcome_and_the_call_is_not_made_again() -> None:
    memory, made = _Memory(), 0

    async def make() -> FinishedCall:
        nonlocal made
        made += 1
        raise OverflowError("with what the provider sent: secret")

    def prepare(command: Ask, headers: Sequence[StoredHeader]) -> Job:
        return Job(make, {"url": "http://mock"}, "hash")

    handle = _handler(memory, prepare, _not_built)
    command = GenerateCompletion.model_validate(GenerateCompletion.EXAMPLES[0])
    assert [await handle(command), await handle(command)] == [Settlement.DONE, Settlement.DONE]
    assert made == 1
    outcomes = [told.outcome for told in memory.told]
    assert (
        outcomes
        == [Malformed(message="The answer could not be taken: OverflowError. The gateway's log says more.")] * 2
    )
    assert [told.from_memory for told in memory.told] == [False, True]


@pytest.mark.parametrize(
    "command",
    [
        GenerateCompletion.model_validate(GenerateCompletion.EXAMPLES[0]),
        ReleaseModel.model_validate(ReleaseModel.EXAMPLES[0]),
    ],
    ids=lambda command: type(command).__name__,
)
async def test_request_that_cannot_be_built_is_rejected_and_not_redelivered(command: Command) -> None:
    memory = _Memory()
    assert await _handler(memory, _not_built, _not_built)(command) is Settlement.DONE
    rejected = Rejected(
        message="The request could not be built: OverflowError. The gateway's log says more.", http_status=0
    )
    assert [told.outcome for told in memory.told] == [rejected]
    assert memory.stored[command.call_id].request == {"url": command.provider.base_url, "body": None}


async def test_failed_unloading_is_not_redelivered() -> None:
    async def make() -> FinishedCall:
        raise OverflowError

    memory = _Memory()
    handle = _handler(memory, _not_built, lambda command, headers: Job(make))
    assert await handle(ReleaseModel.model_validate(ReleaseModel.EXAMPLES[0])) is Settlement.DONE
    [told] = memory.told
    assert isinstance(told.outcome, Malformed)
