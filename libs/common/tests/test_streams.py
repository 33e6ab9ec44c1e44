"""Who may not settle a stream leaves one with other settings alone, and hides nothing else."""

import nats
import pytest
from nats.js.errors import BadRequestError

from llmbench.messaging.streams import COMMANDS, EventLimits, ensure_streams
from tests.servers import nats_server


async def test_other_settings_are_left_alone_and_other_refusals_are_told() -> None:
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
