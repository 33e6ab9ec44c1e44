"""Keep a local copy of the runs' gates (the KV bucket `run_state`), updated by a watch.

A gate says whether calls of a run may start. A watch can stop without an error: the broker lost its store, or a
connection dropped messages in transit. So the watch is checked after a reconnection and at intervals, and restarted if
it fails the check. Only a complete new copy replaces the copy in use.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from nats.errors import Error as NatsError
from nats.js.errors import KeyNotFoundError

from llmbench.contracts.run_state import RunGate
from llmbench.messaging.broker import Broker, jetstream
from llmbench.messaging.gate_watch import GateChange, GateWatch, watching_gates
from llmbench.messaging.streams import run_state_bucket

_log = logging.getLogger(__name__)

LOOK_S = 15.0
FAILED_S = 0.5


class WatchedGates:
    def __init__(self, broker: Broker, *, on_aborted: Callable[[UUID], None], look_s: float = LOOK_S) -> None:
        self._broker = broker
        self._on_aborted = on_aborted
        self._look_s = look_s
        self._gates: dict[UUID, _Gate] = {}
        self._look = asyncio.Event()
        self._read = asyncio.Event()

    def known(self, run_id: UUID) -> RunGate:
        """Return the run's gate from this process's copy of all gates. The gate of a run without an entry in the bucket
        is open."""
        gate = self._gates.get(run_id)
        return RunGate.OPEN if gate is None else gate.gate

    async def confirmed(self, run_id: UUID) -> RunGate:
        """Read the run's gate from the KV bucket, and update this process's copy of the gates. If the bucket does not
        answer, return the gate in the copy."""
        with contextlib.suppress(NatsError, TimeoutError):
            try:
                entry = await (await run_state_bucket(jetstream(self._broker))).get(str(run_id))
                self._apply(self._gates, GateChange(str(run_id), entry.value, entry.revision or 0))
            except KeyNotFoundError:
                self._gates.pop(run_id, None)
        return self.known(run_id)

    async def read(self) -> None:
        """Wait until the entire KV bucket has been read once. Calls may start only afterwards."""
        await self._read.wait()

    def renew(self) -> None:
        """Make `run` check the watch now, and restart it if it fails the check. Called after a reconnection."""
        self._look.set()

    async def run(self) -> None:
        """Keep this process's copy of all run gates up to date for ever. Requires a connected broker."""
        while True:
            try:
                async with watching_gates(self._broker) as watch:
                    await self._follow(watch)
            except (NatsError, TimeoutError, OSError) as error:
                _log.warning("the gates of the runs cannot be watched (%r); trying again", error)
                await asyncio.sleep(FAILED_S)

    async def _follow(self, watch: GateWatch) -> None:
        """Apply the changes that the watch reports to this process's copy of the gates, until the watch ends or fails a
        check."""
        snapshot: dict[UUID, _Gate] = {}
        for change in await watch.snapshot():
            self._apply(snapshot, change)
        self._gates = snapshot
        self._read.set()
        changes = asyncio.ensure_future(self._take(watch))
        try:
            sound = True
            while sound:
                self._look.clear()
                looking = asyncio.ensure_future(self._look.wait())
                await asyncio.wait({changes, looking}, timeout=self._look_s, return_when=asyncio.FIRST_COMPLETED)
                looking.cancel()
                if changes.done():
                    return await changes
                sound = await watch.is_sound()
        finally:
            changes.cancel()

    async def _take(self, watch: GateWatch) -> None:
        while True:
            self._apply(self._gates, await watch.next())

    def _apply(self, gates: dict[UUID, "_Gate"], change: GateChange) -> None:
        try:
            run_id = UUID(change.key)
            gate = RunGate.OPEN if change.value is None else RunGate(change.value.decode())
        except ValueError:
            _log.warning("the bucket of the runs' gates has an entry that is none: %s", change.key)
            return
        known = gates.get(run_id)
        # `confirmed` may have read a newer value than this change.
        if known is None or known.revision < change.revision:
            gates[run_id] = _Gate(gate, change.revision)
            if gate is RunGate.ABORTED:
                self._on_aborted(run_id)


@dataclass(frozen=True)
class _Gate:
    gate: RunGate
    revision: int
