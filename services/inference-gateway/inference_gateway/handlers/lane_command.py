"""Process the commands of a lane, the queue of one model group.

The steps: wait for a slot, look for a stored call, check the run's gate, make the call, commit it, publish its event.

A paid answer is committed, over the connection that holds the slot's lock, before it is published. If the database
fails between answer and commit, the commit is retried under a new lock, unless the run was deleted. A gateway that is
stopping retries the commit only within its grace period.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any

from inference_gateway.domain.call import Ask, Command, FinishedCall, event_of, taken_again
from inference_gateway.domain.urls import shown
from inference_gateway.handlers.in_flight import Aborted, AbortReason, InFlight
from inference_gateway.ports import (
    Events,
    Gates,
    GatewayStopping,
    NotPublished,
    NotStored,
    RunGone,
    SessionLost,
    Slot,
    Slots,
    StoredHeader,
)
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.outcome import Malformed, NotStarted, Outcome, Rejected
from llmbench.contracts.release_model import ReleaseModel
from llmbench.contracts.run_state import RunGate

_log = logging.getLogger(__name__)

STORE_AGAIN_S = 0.25
STORE_AGAIN_MOST_S = 5.0


class Settlement(Enum):
    """The ways to settle a command's message on NATS: acknowledge it, or have it redelivered later or at once."""

    DONE = "done"
    RETRY = "retry"
    """Redeliver later: the database or the broker is unreachable."""
    HAND_OVER = "hand over"
    """Redeliver at once, to another replica."""


@dataclass(frozen=True)
class Job:
    """A prepared call: `make` makes it, without reading from the database.

    `request` is the request as it is stored, `request_hash` identifies its question. The hash is empty when the request
    cannot be made.
    """

    make: Callable[[], Coroutine[Any, Any, FinishedCall]]
    request: Mapping[str, Any] = field(default_factory=dict)
    request_hash: str = ""


Prepare = Callable[[Ask, Sequence[StoredHeader]], Job]
"""The function that prepares a call with its provider's headers. It does no I/O."""


class LaneHandler:
    def __init__(
        self,
        *,
        slots: Slots,
        gates: Gates,
        events: Events,
        in_flight: InFlight,
        now: Callable[[], datetime],
        prepare: Prepare,
        release: Callable[[ReleaseModel, Sequence[StoredHeader]], Job],
    ) -> None:
        self._slots = slots
        self._gates = gates
        self._events = events
        self._in_flight = in_flight
        self._now = now
        self._prepare = prepare
        self._release = release

    async def __call__(self, command: Command) -> Settlement:
        """Process a command, and return how to settle its message. Expected failures do not raise."""
        try:
            known = await self._event_for(command)
        except Aborted as aborted:
            _log.info("call %s stopped: %s", command.call_id, aborted)
            return _SETTLEMENT_OF_ABORT[aborted.reason]
        except GatewayStopping:
            return Settlement.HAND_OVER
        except SessionLost:
            return Settlement.RETRY
        except RunGone:
            _log.info("call %s is of no use any more: its run is gone", command.call_id)
            return Settlement.DONE
        try:
            await self._events.publish(known)
        except NotPublished as error:
            _log.warning("the outcome of call %s could not be told yet: %s", command.call_id, error)
            return Settlement.RETRY
        return Settlement.DONE

    async def _event_for(self, command: Command) -> CallFinished:
        """Return the event for a stored call, a call that is made now, or a call that the gate does not allow."""
        paid: FinishedCall | None = None
        wait_s = STORE_AGAIN_S
        while True:
            try:
                async with self._slots.hold(command, answered=paid is not None) as slot:
                    if (known := slot.remembered) is not None:
                        return event_of(command, known.outcome, known.finished_at, from_memory=True)
                    if paid is None:
                        paid = await self._make(command, slot)
                    if paid is None:
                        return event_of(command, NotStarted(), self._now(), from_memory=False)
                    await slot.store(command, paid)
                    return event_of(command, paid.outcome, paid.finished_at, from_memory=False)
            except (SessionLost, NotStored) as error:
                if paid is None:
                    raise SessionLost(str(error)) from error
                _log.warning("call %s is answered but not stored yet: %s", command.call_id, error)
                await asyncio.sleep(wait_s)
                wait_s = min(wait_s * 2, STORE_AGAIN_MOST_S)

    async def _make(self, command: Command, slot: Slot) -> FinishedCall | None:
        if isinstance(command, ReleaseModel):
            # Unloading a model costs nothing and starts nothing, so gates do not apply.
            job = self._prepared(command, slot)
            return await self._finished(command, job, job.make())
        # After a resume, a command may arrive before the change of the gate, so the bucket itself is read.
        if (
            self._gates.known(command.run_id) is not RunGate.OPEN
            and await self._gates.confirmed(command.run_id) is not RunGate.OPEN
        ):
            return None
        job = self._prepared(command, slot)
        cached = await self._reusable_answer(command, job, slot)
        # There is no await between this check and the call, so the check still holds when the call starts.
        if self._gates.known(command.run_id) is not RunGate.OPEN:
            return None
        if cached is not None:
            return cached
        if self._in_flight.stopping:
            raise GatewayStopping
        if not slot.alive:
            raise SessionLost("the lock was lost before the call")
        return await self._finished(command, job, self._in_flight.run(command.run_id, job.make()))

    def _prepared(self, command: Command, slot: Slot) -> Job:
        try:
            if isinstance(command, ReleaseModel):
                return self._release(command, slot.headers)
            return self._prepare(command, slot.headers)
        except Exception as error:  # noqa: BLE001  # nothing was sent, and another try would end in the same error
            _log.exception("the request of call %s could not be built", command.call_id)
            message = f"The request could not be built: {type(error).__name__}. The gateway's log says more."
            return Job(lambda: self._unsent(command, Rejected(message=message, http_status=0)))

    async def _unsent(self, command: Command, outcome: Outcome) -> FinishedCall:
        now = self._now()
        return FinishedCall(outcome, now, now, {"url": shown(command.provider.base_url), "body": None}, "")

    async def _finished(self, command: Command, job: Job, making: Coroutine[Any, Any, FinishedCall]) -> FinishedCall:
        """Await `making`, and return the finished call. An unexpected error becomes the outcome of the call. The call
        is then stored like any other, and never repeated."""
        began = self._now()
        try:
            return await making
        except Aborted:
            raise
        except Exception as error:  # noqa: BLE001  # the call may be paid: never repeat it
            _log.exception("call %s ended in an error that nobody foresaw", command.call_id)
            message = f"The answer could not be taken: {type(error).__name__}. The gateway's log says more."
            return FinishedCall(Malformed(message=message), began, self._now(), job.request, job.request_hash)

    async def _reusable_answer(self, command: Ask, job: Job, slot: Slot) -> FinishedCall | None:
        """Return a call that reuses an earlier answer to the same question. Return `None` without such an answer, or if
        the command does not allow its reuse.

        A warm-up is always made, because it has to load the model.
        """
        if not command.use_cache or command.purpose is Purpose.WARM_UP or not job.request_hash:
            return None
        paid = await slot.find_answer(job.request_hash, command.epoch)
        if paid is None:
            return None
        return taken_again(paid, request=job.request, request_hash=job.request_hash, now=self._now())


_SETTLEMENT_OF_ABORT = {
    AbortReason.RUN_ABORTED: Settlement.DONE,
    AbortReason.LOCK_LOST: Settlement.RETRY,
    AbortReason.STOPPING: Settlement.HAND_OVER,
}
