"""The streams, the KV bucket and the durable consumers: created idempotently, never in silence.

A consumer that exists is updated to what the code says (an upsert); a stream likewise. Nothing on
NATS is the only copy of anything, so all of this can be made anew after a broker lost its store.
"""

from dataclasses import dataclass

from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DiscardPolicy,
    KeyValueConfig,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import BadRequestError, NotFoundError
from nats.js.kv import KeyValue

from llmbench.contracts.run_state import RUN_STATE_BUCKET

COMMANDS = "COMMANDS"
EVENTS = "EVENTS"
REPORTS = "REPORTS"
ACK_WAIT_S = 6.0
HEARTBEAT_S = 2.0
"""Whoever works on a message longer than this says so (`in_progress`) at this interval."""
MAX_PAYLOAD_BYTES = 8 * 1024 * 1024
DEDUPLICATION_S = 15.0
"""The server keeps each id in memory for so long: time enough for a relay that died between publishing and deleting, or
for PostgreSQL, to come back. A duplicate that comes later changes nothing either; it is only sent once more."""
# The server's error code of a stream that is there with other settings (JSStreamNameExistErr).
_OTHER_SETTINGS = 10058


@dataclass(frozen=True)
class EventLimits:
    max_age_s: float = 7 * 86_400
    max_bytes: int = 2 * 1024**3


async def ensure_streams(js: JetStreamContext, limits: EventLimits | None = None, *, settle: bool = True) -> None:
    """COMMANDS and REPORTS (work queues: kept until acked) and EVENTS (limits: kept for replay).

    Each report has a subject of its own, and the server keeps in memory what it knows of each subject: kept for days,
    as events are, the reports of 100,000 items would be 120 MB.

    One that is there with other settings is brought to ours by those who may `settle` it: the orchestrator. Whoever
    could change a stream could have it repeat everything to somebody else.
    """
    limits = limits or EventLimits()
    await _ensure_stream(js, _work_queue(COMMANDS, "cmd.>"), settle=settle)
    await _ensure_stream(
        js,
        StreamConfig(
            name=EVENTS,
            subjects=["evt.run.>", "evt.config.>"],
            retention=RetentionPolicy.LIMITS,
            storage=StorageType.FILE,
            discard=DiscardPolicy.OLD,
            duplicate_window=DEDUPLICATION_S,
            max_age=limits.max_age_s,
            max_bytes=limits.max_bytes,
            max_msg_size=MAX_PAYLOAD_BYTES,
        ),
        settle=settle,
    )
    try:
        await _ensure_stream(js, _work_queue(REPORTS, "evt.call.*", "evt.score.*"), settle=settle)
    except BadRequestError:
        # Earlier versions kept all in one: whoever may settle that will.
        if settle or (await js.stream_info(EVENTS)).config.subjects != ["evt.>"]:
            raise


def _work_queue(name: str, *subjects: str) -> StreamConfig:
    return StreamConfig(
        name=name,
        subjects=list(subjects),
        retention=RetentionPolicy.WORK_QUEUE,
        storage=StorageType.FILE,
        discard=DiscardPolicy.NEW,
        duplicate_window=DEDUPLICATION_S,
        max_msg_size=MAX_PAYLOAD_BYTES,
    )


async def _ensure_stream(js: JetStreamContext, config: StreamConfig, *, settle: bool) -> None:
    try:
        await js.add_stream(config)
    except BadRequestError as error:
        if settle:
            await js.update_stream(config)
        elif error.err_code != _OTHER_SETTINGS:
            raise


async def run_state_bucket(js: JetStreamContext) -> KeyValue:
    """The KV bucket with one gate per run (llmbench.contracts.run_state)."""
    try:
        return await js.key_value(RUN_STATE_BUCKET)
    except NotFoundError:
        return await js.create_key_value(KeyValueConfig(bucket=RUN_STATE_BUCKET, history=1, storage=StorageType.FILE))


async def ensure_consumer(js: JetStreamContext, stream: str, durable: str, *filters: str, max_ack_pending: int) -> None:
    """A durable pull consumer with explicit acks; settings of an existing one are updated."""
    config = ConsumerConfig(
        durable_name=durable,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=ACK_WAIT_S,
        max_ack_pending=max_ack_pending,
        max_deliver=-1,
    )
    if len(filters) == 1:
        config.filter_subject = filters[0]
    else:
        config.filter_subjects = list(filters)
    await js.add_consumer(stream, config)


LANE_PREFIX = "infer-"


def lane_durable(group: str) -> str:
    """The durable name of a model group's consumer."""
    return f"{LANE_PREFIX}{group}"


async def lane_tokens(js: JetStreamContext) -> list[str]:
    """The groups that have a lane. Raises nats-py's `NotFoundError` where there is no stream."""
    found: list[str] = []
    offset = 0
    while page := await js.consumers_info(COMMANDS, offset=offset):
        found += [info.name.removeprefix(LANE_PREFIX) for info in page if info.name.startswith(LANE_PREFIX)]
        offset += len(page)
    return found


async def ensure_lane(js: JetStreamContext, group: str, *, concurrency: int) -> None:
    """A model group's one consumer: `max_ack_pending` is how many of its calls run at once."""
    await ensure_consumer(js, COMMANDS, lane_durable(group), f"cmd.infer.{group}.*", max_ack_pending=concurrency)


async def delete_lane(js: JetStreamContext, group: str) -> None:
    try:
        await js.delete_consumer(COMMANDS, lane_durable(group))
    except NotFoundError:
        return
