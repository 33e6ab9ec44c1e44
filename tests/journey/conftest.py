"""One platform per worker for all journeys: it costs more to start than most of them take."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest_asyncio

from tests.platform import Platform, platform

Seeded = Callable[..., Awaitable[Platform]]
"""`await seeded(tasks=6)`: the platform with a provider and a collection of its own, and an empty ledger."""


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
