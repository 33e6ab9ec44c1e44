"""Create the streams, the KV bucket and the durable consumers on NATS, or update those that exist.

NATS never holds the only copy of anything, so all of these can be created again after the server lost its store.
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
from nats.js.errors import APIError, BadRequestError, NotFoundError
from nats.js.kv import KeyValue

from llmbench.contracts.run_state import RUN_STATE_BUCKET

COMMANDS = "COMMANDS"
EVENTS = "EVENTS"
REPORTS = "REPORTS"
ACK_WAIT_S = 6.0
HEARTBEAT_S = 2.0
"""The interval at which the service reports a message as `in_progress`, so that the server does not redeliver it."""
MAX_PAYLOAD_BYTES = 8 * 1024 * 1024
DEDUPLICATION_S = 15.0
"""The de-duplication window; the server keeps each message id in memory for so long.

It is long enough for PostgreSQL, or a relay that died between publishing and deleting, to come back. A later duplicate
has no effect either; it is only sent again.
"""
_NEVER_USED = {
    COMMANDS: "cmd.nobody",
    EVENTS: "evt.run.nobody",
    REPORTS: "evt.call.nobody",
    f"KV_{RUN_STATE_BUCKET}": f"$KV.{RUN_STATE_BUCKET}.nobody",
}
"""Subjects by stream. No message is ever published on them."""
_NO_ROOM = ("no space left", "quota exceeded")
# The server's error code for an existing stream with other settings (JSStreamNameExistErr).
_OTHER_SETTINGS = 10058


@dataclass(frozen=True)
class EventLimits:
    max_age_s: float = 7 * 86_400
    max_bytes: int = 2 * 1024**3


async def ensure_streams(js: JetStreamContext, limits: EventLimits | None = None, *, settle: bool = True) -> None:
    """Create the streams COMMANDS, EVENTS and REPORTS, if they do not exist.

    Messages of COMMANDS and REPORTS are kept until acknowledged, those of EVENTS within `limits` (by default,
    `EventLimits()`). Reports have a stream of their own because each has its own subject, and the server keeps state
    per subject in memory. If reports were kept for days like events, those of 100,000 items would need 120 MB.

    With `settle`, a stream that already exists gets these settings, too. Only the orchestrator does so, because a login
    that may change a stream could copy all its messages elsewhere. Raises nats-py's errors if NATS does not answer or
    refuses.
    """
    limits = limits or EventLimits()
    await _ensure_stream(js, _work_queue(COMMANDS, "cmd.>"), settle=settle)
    await _ensure_stream(
        js,
        StreamConfig(
            name=EVENTS,
            subjects=["evt.run.>", "evt.config.>", "evt.experiment.>"],
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
        # Earlier versions had one stream for everything. The orchestrator, which has `settle`, will split it.
        if settle or (await js.stream_info(EVENTS)).config.subjects != ["evt.>"]:
            raise


async def stuck_streams(js: JetStreamContext) -> dict[str, str]:
    """Return the names of the streams whose store ran out of disk space, each with the server's reason.

    The server keeps this error until it is restarted or the stream is created again, even when there is space again.
    The test is a purge of a subject that no message has: it changes nothing, but a failed store refuses it.
    """
    reasons: dict[str, str] = {}
    for name, subject in _NEVER_USED.items():
        try:
            await js.purge_stream(name, subject=subject)
        except NotFoundError:
            continue
        except APIError as refused:
            reason = refused.description or ""
            if any(word in reason for word in _NO_ROOM):
                reasons[name] = reason
    return reasons


async def drop_stream(js: JetStreamContext, name: str) -> None:
    """Delete a stream with its messages, if it exists, so that it can be created again."""
    try:
        await js.delete_stream(name)
    except NotFoundError:
        return


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
    """Return the KV bucket of the runs' gates (llmbench.contracts.run_state). Create it if it does not exist."""
    try:
        return await js.key_value(RUN_STATE_BUCKET)
    except NotFoundError:
        return await js.create_key_value(KeyValueConfig(bucket=RUN_STATE_BUCKET, history=1, storage=StorageType.FILE))


async def ensure_consumer(js: JetStreamContext, stream: str, durable: str, *filters: str, max_ack_pending: int) -> None:
    """Create a durable pull consumer with explicit acks, or update its settings.

    `filters` are the subjects that it receives. `max_ack_pending` limits the messages that are not acknowledged yet.
    """
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
    """Return the name of the NATS consumer that receives the commands of a model group. `group` is the name that
    `group_token` returns for the group."""
    return f"{LANE_PREFIX}{group}"


async def lane_tokens(js: JetStreamContext) -> list[str]:
    """Return the names (`group_token`) of the model groups that have a consumer. Raises nats-py's `NotFoundError` if
    there is no stream COMMANDS."""
    tokens: list[str] = []
    offset = 0
    while page := await js.consumers_info(COMMANDS, offset=offset):
        tokens += [info.name.removeprefix(LANE_PREFIX) for info in page if info.name.startswith(LANE_PREFIX)]
        offset += len(page)
    return tokens


async def ensure_lane(js: JetStreamContext, group: str, *, concurrency: int) -> None:
    """Create the consumer of a model group's commands, or update it to allow `concurrency` calls at the same time."""
    await ensure_consumer(js, COMMANDS, lane_durable(group), f"cmd.infer.{group}.*", max_ack_pending=concurrency)


async def delete_lane(js: JetStreamContext, group: str) -> None:
    try:
        await js.delete_consumer(COMMANDS, lane_durable(group))
    except NotFoundError:
        return
