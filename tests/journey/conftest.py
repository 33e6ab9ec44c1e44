"""Share one platform per test process among all journeys, because starting a platform takes longer than most
journeys."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest_asyncio

from tests.platform import Platform, platform

Seeded = Callable[..., Awaitable[Platform]]
"""Called as `await seeded(tasks=6)`: returns the platform with a new provider and collection, and no recorded calls."""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def started() -> AsyncIterator[Platform]:
    async with platform(tasks=0) as stack:
        yield stack


@pytest_asyncio.fixture(loop_scope="session")
async def seeded(started: Platform) -> AsyncIterator[Seeded]:
    async def seed(*, tasks: int) -> Platform:
        (await started.provider_http.delete("/ledger")).raise_for_status()
        await started.seed(tasks)
        return started

    yield seed
    await started.quieten()
