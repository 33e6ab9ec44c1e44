"""Manage the data of runs on NATS JetStream: lanes, run gates and queued commands.

A lane is the queue of the calls to one model. A run gate says whether calls of a run may start.
"""

from collections.abc import Sequence, Set
from uuid import UUID

from faststream.nats import NatsBroker
from nats.js.errors import NotFoundError

from llmbench.contracts.group_opened import GroupOpened
from llmbench.contracts.run_state import RUN_STATE_BUCKET, RunGate
from llmbench.messaging.broker import client, jetstream
from llmbench.messaging.publish import publish_lossy
from llmbench.messaging.streams import COMMANDS, EVENTS, delete_lane, ensure_lane, lane_tokens, run_state_bucket
from orchestrator.kernel.domain.records import Group
from orchestrator.runs.ports.lanes import OnNats


class JetStreamLanes:
    """Implement the port `Lanes` on NATS JetStream. Manage lanes (the queues of the calls to one model), run gates
    (which say whether a run's calls may start), and queued commands."""

    def __init__(self, broker: NatsBroker) -> None:
        self._broker = broker

    async def open(self, group: Group) -> None:
        if group.lane is not None:
            await ensure_lane(jetstream(self._broker), group.lane.token, concurrency=group.concurrency)
            await publish_lossy(client(self._broker), GroupOpened(group=group.lane.token), service="orchestrator")

    async def close(self, group: Group) -> None:
        if group.lane is not None:
            await delete_lane(jetstream(self._broker), group.lane.token)

    async def set_gate(self, run_id: UUID, gate: RunGate) -> None:
        bucket = await run_state_bucket(jetstream(self._broker))
        await bucket.put(str(run_id), gate.value.encode())

    async def purge(self, run_id: UUID) -> None:
        for subject in _subjects(run_id):
            await jetstream(self._broker).purge_stream(COMMANDS, subject=subject)

    async def found(self) -> OnNats:
        js = jetstream(self._broker)
        try:
            subjects = (await js.stream_info(COMMANDS, subjects_filter="cmd.>")).state.subjects or {}
        except NotFoundError:
            return OnNats(frozenset(), frozenset())
        return OnNats(runs={*filter(None, map(_run_of, subjects))}, lane_tokens={*await lane_tokens(js)})

    async def close_lanes(self, tokens: Set[str]) -> None:
        for token in tokens:
            await delete_lane(jetstream(self._broker), token)

    async def forget(self, run_ids: Sequence[UUID], lane_tokens: Sequence[str]) -> None:
        js = jetstream(self._broker)
        for run_id in run_ids:
            await self.purge(run_id)
            await js.purge_stream(EVENTS, subject=f"evt.run.{run_id}.>")
            # The first purge notifies the watchers of the key; the second one removes the marker that it leaves.
            await (await run_state_bucket(js)).purge(str(run_id))
            await js.purge_stream(f"KV_{RUN_STATE_BUCKET}", subject=f"$KV.{RUN_STATE_BUCKET}.{run_id}")
        for token in lane_tokens:
            await delete_lane(js, token)

    async def commands_waiting(self, run_id: UUID) -> int:
        # The stream keeps a message until it is acknowledged, so the count includes messages being processed.
        waiting = 0
        for subject in _subjects(run_id):
            try:
                info = await jetstream(self._broker).stream_info(COMMANDS, subjects_filter=subject)
            except NotFoundError:
                return 0
            waiting += sum((info.state.subjects or {}).values())
        return waiting


def _run_of(subject: str) -> UUID | None:
    """Return the run's id from a command's subject; `None` for any other subject."""
    try:
        return UUID(subject.rpartition(".")[2])
    except ValueError:
        return None


def _subjects(run_id: UUID) -> tuple[str, str]:
    return f"cmd.infer.*.{run_id}", f"cmd.judge.{run_id}"
