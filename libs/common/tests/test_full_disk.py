"""Test that a stream which ran out of disk space is recognised, and accepts messages again once it was recreated."""

import nats
import pytest
from nats.errors import Error as NatsError
from nats.js import JetStreamContext

from llmbench.messaging.streams import EVENTS, drop_stream, ensure_streams, stuck_streams
from llmbench.room import LASTS_S, Room, is_disk_full
from tests.servers import nats_server
from tests.small_disk import small_disk


async def _publish_for_ever(js: JetStreamContext) -> None:
    while True:
        await js.publish("evt.run.a.log", bytes(64 * 1024), timeout=1)


async def test_stream_on_a_full_disk_fails_until_it_is_recreated() -> None:
    with small_disk(16) as disk:
        async with nats_server(disk.folder) as url:
            client = await nats.connect(url)
            try:
                js = client.jetstream()
                await ensure_streams(js)
                assert await stuck_streams(js) == {}
                disk.fill()
                with pytest.raises((NatsError, TimeoutError)):
                    await _publish_for_ever(js)
                disk.empty()
                # The disk has space again, but the server's stream keeps failing.
                assert "no space left" in (await stuck_streams(js))[EVENTS]
                await drop_stream(js, EVENTS)
                await ensure_streams(js)
                assert await stuck_streams(js) == {}
                await js.publish("evt.run.a.log", b"{}")
            finally:
                await client.close()


def test_full_disk_warning_expires() -> None:
    at = [0.0]
    room = Room("PostgreSQL", now=lambda: at[0])
    assert room.lacking() is None
    room.lacked()
    at[0] = LASTS_S - 1
    assert "PostgreSQL has no room left on its disk" in (room.lacking() or "")
    at[0] = LASTS_S + 1
    assert room.lacking() is None
    room.lacked()
    room.found()
    assert room.lacking() is None


def test_full_disk_is_recognised_in_the_cause_of_an_error() -> None:
    wrapped = RuntimeError("wrapped")
    wrapped.__cause__ = OSError(28, "No space left on device")
    assert is_disk_full(wrapped)
    assert not is_disk_full(OSError(2, "No such file"))
    assert not is_disk_full(None)
