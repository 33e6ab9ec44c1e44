from collections.abc import AsyncIterator

import pytest
from run_world import World, open_world


@pytest.fixture
async def world(postgres_url: str, nats_url: str) -> AsyncIterator[World]:
    async with open_world(postgres_url, nats_url) as opened:
        yield opened
