"""Register the calls in flight, so that a cancelled run, a lost lock or a shutdown can stop them."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar
from uuid import UUID

T = TypeVar("T")


class AbortReason(Enum):
    RUN_ABORTED = "run aborted"
    LOCK_LOST = "lock lost"
    STOPPING = "gateway stopping"


class Aborted(Exception):
    def __init__(self, reason: AbortReason) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(eq=False)
class _Call:
    run_id: UUID
    task: asyncio.Task[Any]
    reason: AbortReason | None = None


class InFlight:
    def __init__(self) -> None:
        self._calls: set[_Call] = set()
        self.stopping = False
        """True once no further call may begin."""

    async def run(self, run_id: UUID, call: Coroutine[Any, Any, T]) -> T:
        """Await `call` and return its result. Raises `Aborted` if `abort_run` or `abort_all` stops the call.

        The call is registered before the first await. So no abort can come after the caller's checks and still miss
        the call.
        """
        entry = _Call(run_id, asyncio.ensure_future(call))
        self._calls.add(entry)
        try:
            result: T = await entry.task
            return result
        except asyncio.CancelledError:
            if entry.reason is not None:
                raise Aborted(entry.reason) from None
            raise
        finally:
            self._calls.discard(entry)

    def abort_run(self, run_id: UUID) -> None:
        for call in self._calls:
            if call.run_id == run_id:
                self._abort(call, AbortReason.RUN_ABORTED)

    def abort_all(self, reason: AbortReason) -> None:
        for call in self._calls:
            self._abort(call, reason)

    def __len__(self) -> int:
        return len(self._calls)

    def _abort(self, call: _Call, reason: AbortReason) -> None:
        call.reason = call.reason or reason
        call.task.cancel()
