"""Test that a stopping gateway begins no call, but still stores an answer that has arrived."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from uuid import UUID

import pytest

from inference_gateway.adapters.lock_session import LockSession
from inference_gateway.domain.call import Ask, Command, FinishedCall, PaidAnswer, RememberedCall
from inference_gateway.handlers.in_flight import InFlight
from inference_gateway.handlers.lane_command import Job, LaneHandler, Settlement
from inference_gateway.ports import GatewayStopping, SessionLost, StoredHeader
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.outcome import Malformed
from llmbench.contracts.release_model import ReleaseModel
from llmbench.contracts.run_state import RunGate

pytestmark = pytest.mark.never_rerun

COMMAND = GenerateCompletion.model_validate(GenerateCompletion.EXAMPLES[0])


class _StoppingMemory:
    """A fake of the ports `Slots`, `Slot`, `Gates` and `Events`. At the first commit, the gateway begins to stop and
    loses its database session."""

    alive = True
    headers = ()
    remembered: RememberedCall | None = None

    def __init__(self, in_flight: InFlight) -> None:
        self._in_flight = in_flight
        self.stored: list[FinishedCall] = []
        self.told: list[CallFinished] = []

    @contextlib.asynccontextmanager
    async def hold(self, command: Command, *, answered: bool = False) -> AsyncIterator["_StoppingMemory"]:
        if self._in_flight.stopping and not answered:
            raise GatewayStopping
        yield self

    async def find_answer(self, request_hash: str, epoch: int) -> PaidAnswer | None:
        return None

    async def store(self, command: Command, call: FinishedCall) -> None:
        if not self._in_flight.stopping:
            self._in_flight.stopping = True
            raise SessionLost("the database does not answer")
        self.stored.append(call)

    def known(self, run_id: UUID) -> RunGate:
        return RunGate.OPEN

    async def confirmed(self, run_id: UUID) -> RunGate:
        return RunGate.OPEN

    async def publish(self, event: CallFinished) -> None:
        self.told.append(event)


async def test_answer_whose_lock_was_lost_is_stored_while_the_gateway_stops() -> None:
    in_flight, made = InFlight(), 0
    memory = _StoppingMemory(in_flight)

    async def make() -> FinishedCall:
        nonlocal made
        made += 1
        now = datetime.now(UTC)
        return FinishedCall(Malformed(message="no answer"), now, now, {}, "")

    def prepare(command: Ask, headers: Sequence[StoredHeader]) -> Job:
        return Job(make)

    def release(command: ReleaseModel, headers: Sequence[StoredHeader]) -> Job:
        return Job(make)

    handle = LaneHandler(
        slots=memory,
        gates=memory,
        events=memory,
        in_flight=in_flight,
        now=lambda: datetime.now(UTC),
        prepare=prepare,
        release=release,
    )
    assert await handle(COMMAND) is Settlement.DONE
    assert (made, len(memory.stored), len(memory.told)) == (1, 1, 1)
    assert await handle(COMMAND) is Settlement.HAND_OVER
    assert made == 1, "a stopping gateway begins no call"


async def test_stopping_lock_session_gives_slots_to_answered_calls_only(postgres_url: str) -> None:
    locks = LockSession(postgres_url, on_lost=lambda: None, stopping=lambda: True, application_name="test")
    running = asyncio.create_task(locks.run())
    try:
        await locks.connected()
        with pytest.raises(GatewayStopping):
            async with locks.hold("group", 2, COMMAND):
                raise AssertionError("a stopping gateway begins no call")
        async with locks.hold("group", 2, COMMAND, while_stopping=True):
            assert len(locks.current().held) == 2, "the slot and the call"
        assert not locks.current().held
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
