"""Watch the runs' gates in the KV bucket `run_state`. A gate says whether a run's calls may start."""

import asyncio
import contextlib
import logging
from uuid import UUID

from nats.errors import Error as NatsError
from nats.js.errors import KeyNotFoundError

from judge.adapters.pulse import Pulse
from judge.ports import NotSent
from llmbench.background import end
from llmbench.contracts.run_state import RunGate
from llmbench.messaging.broker import Broker, jetstream
from llmbench.messaging.gate_watch import GateChange, GateWatch, watching_gates
from llmbench.messaging.streams import run_state_bucket

_log = logging.getLogger(__name__)


class NatsGates:
    """Implement the port `judge.ports.Gates` with a local copy of the gates, which `watch` loads and keeps up to date.

    A missing key means an open gate, so all gates count as open until the copy is loaded. An unknown value means a
    closed gate.
    """

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._gates: dict[str, RunGate] = {}
        self._changed = Pulse()
        self._watch: GateWatch | None = None
        self._stack = contextlib.AsyncExitStack()
        self._task: asyncio.Task[None] | None = None

    def known(self, run_id: UUID) -> RunGate:
        return self._gates.get(str(run_id), RunGate.OPEN)

    async def confirmed(self, run_id: UUID) -> RunGate:
        try:
            bucket = await run_state_bucket(jetstream(self._broker))
            entry = await bucket.get(str(run_id))
        except KeyNotFoundError:
            return RunGate.OPEN
        except (NatsError, TimeoutError, OSError) as error:
            raise NotSent(repr(error)) from error
        return _gate(entry.value)

    def changed(self) -> "asyncio.Future[None]":
        return self._changed.next()

    async def watch(self) -> None:
        """Restart the watch and load all gates again. The old gates stay in use until the new ones are complete.

        Raises nats-py's errors, `TimeoutError` or `OSError` if NATS does not answer. After an error, no watch is
        active.
        """
        await self.stop()
        async with contextlib.AsyncExitStack() as stack:
            watch = await stack.enter_async_context(watching_gates(self._broker))
            gates: dict[str, RunGate] = {}
            for change in await watch.snapshot():
                _note(gates, change)
            self._gates, self._watch, self._stack = gates, watch, stack.pop_all()
        self._changed.beat()
        self._task = asyncio.create_task(self._follow(watch))

    async def is_current(self) -> bool:
        """Return whether the watch works and has missed no change. Raises nats-py's errors if NATS does not answer."""
        return self._watch is not None and await self._watch.is_sound()

    async def stop(self) -> None:
        task, self._task, self._watch = self._task, None, None
        if task is not None:
            await end(task)
        await self._stack.aclose()

    async def _follow(self, watch: GateWatch) -> None:
        while True:
            _note(self._gates, await watch.next())
            self._changed.beat()


def _note(gates: dict[str, RunGate], change: GateChange) -> None:
    if change.value is None:
        gates.pop(change.key, None)
    else:
        gates[change.key] = _gate(change.value)


def _gate(value: bytes | None) -> RunGate:
    try:
        return RunGate((value or b"").decode())
    except ValueError:
        # A newer version wrote an unknown value. Starting no call is the harmless interpretation.
        _log.warning("unknown gate %r: treated as closed", value)
        return RunGate.CLOSED
