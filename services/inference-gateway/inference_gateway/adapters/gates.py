"""The runs' gates: the KV bucket `run_state`, watched into a local copy.

A watch can die in silence (a broker that lost its store, a consumer that expired), so it is begun
anew on reconnection and every so often; the copy in use is replaced only by a complete one.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import KeyNotFoundError
from nats.js.kv import KeyValue

from llmbench.contracts.run_state import RunGate
from llmbench.messaging.streams import run_state_bucket

_log = logging.getLogger(__name__)

RENEW_S = 30.0
FAILED_S = 0.5


class WatchedGates:
    def __init__(self, *, on_aborted: Callable[[UUID], None]) -> None:
        self._on_aborted = on_aborted
        self._gates: dict[UUID, _Gate] = {}
        self._bucket: KeyValue | None = None
        self._renew = asyncio.Event()
        self._read = asyncio.Event()

    def known(self, run_id: UUID) -> RunGate:
        """A run without a key is open."""
        found = self._gates.get(run_id)
        return RunGate.OPEN if found is None else found.gate

    async def confirmed(self, run_id: UUID) -> RunGate:
        """Ask the bucket; when it does not answer, what is known stands."""
        if self._bucket is not None:
            with contextlib.suppress(NatsError, TimeoutError):
                try:
                    self._apply(self._gates, await self._bucket.get(str(run_id)))
                except KeyNotFoundError:
                    self._gates.pop(run_id, None)
        return self.known(run_id)

    async def read(self) -> None:
        """Returns once the bucket was read: no call may start before."""
        await self._read.wait()

    def renew(self) -> None:
        """The connection is back: whatever watched before may be dead."""
        self._renew.set()

    async def run(self, js: JetStreamContext) -> None:
        """Never returns."""
        while True:
            self._renew.clear()
            try:
                await self._watch(await run_state_bucket(js))
            except (NatsError, TimeoutError, OSError) as error:
                _log.warning("the gates of the runs cannot be watched (%r); trying again", error)
                await asyncio.sleep(FAILED_S)

    async def _watch(self, bucket: KeyValue) -> None:
        self._bucket = bucket
        watcher = await bucket.watchall()
        following = asyncio.ensure_future(self._follow(watcher))
        try:
            renewed = asyncio.ensure_future(self._renew.wait())
            done, _ = await asyncio.wait({following, renewed}, timeout=RENEW_S, return_when=asyncio.FIRST_COMPLETED)
            renewed.cancel()
            if following in done:
                await following
        finally:
            following.cancel()
            with contextlib.suppress(NatsError):
                await watcher.stop()  # type: ignore[no-untyped-call]  # nats-py leaves it unannotated

    async def _follow(self, watcher: KeyValue.KeyWatcher) -> None:
        snapshot: dict[UUID, _Gate] | None = {}
        async for entry in watcher:
            if entry is not None:
                self._apply(self._gates if snapshot is None else snapshot, entry)
            elif snapshot is not None:
                # Everything there was has come: from here on, changes.
                self._gates, snapshot = snapshot, None
                self._read.set()

    def _apply(self, gates: dict[UUID, "_Gate"], entry: KeyValue.Entry) -> None:
        try:
            run_id = UUID(entry.key)
            gone = entry.operation in ("DEL", "PURGE")
            gate = RunGate.OPEN if gone else RunGate((entry.value or b"").decode())
        except ValueError:
            _log.warning("the bucket of the runs' gates has an entry that is none: %s", entry.key)
            return
        revision = entry.revision or 0
        known = gates.get(run_id)
        # The watch may be behind what was asked for directly.
        if known is None or known.revision < revision:
            gates[run_id] = _Gate(gate, revision)
            if gate is RunGate.ABORTED:
                self._on_aborted(run_id)


@dataclass(frozen=True)
class _Gate:
    gate: RunGate
    revision: int
