"""Test prefetching: the next chunk is fetched while the previous one is processed; errors and the end are passed on."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from llmbench.ahead import ahead


class Chunks:
    def __init__(self, count: int, *, fails_at: int | None = None) -> None:
        self.count, self.fails_at = count, fails_at
        self.begun: list[int] = []
        self.closed = False

    async def read(self) -> AsyncGenerator[int]:
        try:
            for number in range(self.count):
                self.begun.append(number)
                if number == self.fails_at:
                    raise ConnectionError
                yield number
        finally:
            self.closed = True


async def test_the_next_one_is_fetched_meanwhile() -> None:
    chunks = Chunks(3)
    seen = []
    async for number in ahead(chunks.read()):
        await asyncio.sleep(0)
        seen.append((number, list(chunks.begun)))
    assert seen == [(0, [0, 1]), (1, [0, 1, 2]), (2, [0, 1, 2])]
    assert chunks.closed


async def test_what_fails_fails_after_what_came_before() -> None:
    chunks = Chunks(3, fails_at=1)
    reading = ahead(chunks.read())
    assert await anext(reading) == 0
    with pytest.raises(ConnectionError):
        await anext(reading)
    assert chunks.closed


async def test_who_stops_early_leaves_nothing_open() -> None:
    chunks = Chunks(5)
    reading = ahead(chunks.read())
    assert await anext(reading) == 0
    await reading.aclose()
    assert chunks.closed
    assert len(chunks.begun) <= 2
