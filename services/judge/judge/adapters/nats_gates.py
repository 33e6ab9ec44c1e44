"""The runs' gates, watched in the KV bucket `run_state`."""

import asyncio
import contextlib
import logging
from uuid import UUID

from faststream.nats import NatsBroker
from nats.errors import Error as NatsError
from nats.js.errors import KeyNotFoundError
from nats.js.kv import KeyValue

from judge.adapters.pulse import Pulse
from judge.ports import NotSent
from llmbench.contracts.run_state import RUN_STATE_BUCKET, RunGate
from llmbench.messaging.broker import jetstream
from llmbench.messaging.streams import run_state_bucket

_log = logging.getLogger(__name__)

SNAPSHOT_TIMEOUT_S = 5.0


class NatsGates:
    """Implements `judge.ports.Gates`. A missing key is an open gate."""

    def __init__(self, broker: NatsBroker) -> None:
        self._broker = broker
        self._gates: dict[str, RunGate] = {}
        self._changed = Pulse()
        self._watcher: KeyValue.KeyWatcher | None = None
        self._task: asyncio.Task[None] | None = None
        self._bucket_created: str | None = None

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
        """Begin anew with what the bucket holds now; what was known is kept until that is known.

        Raises nats-py's errors.
        """
        await self.stop()
        bucket = await run_state_bucket(jetstream(self._broker))
        self._bucket_created = await self._created()
        watcher = await bucket.watchall()
        gates: dict[str, RunGate] = {}
        async with asyncio.timeout(SNAPSHOT_TIMEOUT_S):
            async for entry in watcher:
                if entry is None:
                    break
                _note(gates, entry)
        self._gates, self._watcher = gates, watcher
        self._changed.beat()
        self._task = asyncio.create_task(self._follow(watcher))

    async def is_current(self) -> bool:
        """Whether the watched bucket is still the one there is. Raises nats-py's errors."""
        return self._task is not None and await self._created() == self._bucket_created

    async def stop(self) -> None:
        task, watcher = self._task, self._watcher
        self._task = self._watcher = None
        if task is not None:
            task.cancel()
            await asyncio.wait({task})
        if watcher is not None:
            with contextlib.suppress(NatsError, OSError):
                await watcher.stop()  # type: ignore[no-untyped-call]

    async def _created(self) -> str:
        info = await jetstream(self._broker).stream_info(f"KV_{RUN_STATE_BUCKET}")
        return str(info.created)

    async def _follow(self, watcher: KeyValue.KeyWatcher) -> None:
        async for entry in watcher:
            if entry is not None:
                _note(self._gates, entry)
                self._changed.beat()


def _note(gates: dict[str, RunGate], entry: KeyValue.Entry) -> None:
    if entry.operation in ("DEL", "PURGE"):
        gates.pop(entry.key, None)
    else:
        gates[entry.key] = _gate(entry.value)


def _gate(value: bytes | None) -> RunGate:
    try:
        return RunGate((value or b"").decode())
    except ValueError:
        # A word of a newer version: starting no call is the mistake that costs nothing.
        _log.warning("unknown gate %r: treated as closed", value)
        return RunGate.CLOSED
