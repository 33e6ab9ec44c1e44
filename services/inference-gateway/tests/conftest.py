from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from gateway_world import World, open_world

from benchmarks.mock_provider.server import mock_provider


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def provider_url() -> AsyncIterator[str]:
    """Run one mock provider for the test session. The model name in a request selects its behaviour."""
    async with mock_provider() as url:
        yield url


@pytest.fixture
async def world(postgres_url: str, nats_url: str, provider_url: str) -> AsyncIterator[World]:
    async with open_world(postgres_url, nats_url, provider_url) as opened:
        yield opened
