"""Test how a service that may not change streams ensures them: it accepts other settings, and still raises other
errors."""

import nats
import pytest
from nats.js.errors import BadRequestError

from llmbench.messaging.streams import COMMANDS, EVENTS, REPORTS, EventLimits, ensure_streams
from tests.servers import nats_server


async def test_differing_stream_settings_are_kept_and_other_errors_raised() -> None:
    async with nats_server() as url:
        client = await nats.connect(url)
        try:
            js = client.jetstream()
            await ensure_streams(js)
            await ensure_streams(js, EventLimits(max_age_s=86_400), settle=False)
            assert (await js.stream_info("EVENTS")).config.max_age == EventLimits().max_age_s
            await js.delete_stream(COMMANDS)
            await js.add_stream(name="IN_THE_WAY", subjects=["cmd.infer.>"])
            with pytest.raises(BadRequestError, match="overlap"):
                await ensure_streams(js, settle=False)
        finally:
            await client.close()


async def test_reports_get_their_own_stream_only_with_settle() -> None:
    async with nats_server() as url:
        client = await nats.connect(url)
        try:
            js = client.jetstream()
            await js.add_stream(name=EVENTS, subjects=["evt.>"])
            await js.publish("evt.run.a.log", b"before")
            await js.publish("evt.call.a", b"before")
            await ensure_streams(js, settle=False)
            assert (await js.stream_info(EVENTS)).config.subjects == ["evt.>"]
            await ensure_streams(js)
            await js.publish("evt.call.b", b"after")
            await js.publish("evt.run.a.log", b"after")
            assert (await js.stream_info(REPORTS)).state.messages == 1
            assert (await js.stream_info(EVENTS)).state.messages == 3
        finally:
            await client.close()
