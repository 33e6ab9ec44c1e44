"""Test prefetching: the next chunk is fetched while the previous one is processed; errors and the end of the source are
passed on."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from llmbench.ahead import ahead


class Chunks:
    """A source of numbered chunks. It records which reads have begun, and may fail at one of them."""

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


async def test_next_chunk_is_fetched_while_the_previous_is_processed() -> None:
    chunks = Chunks(3)
    seen = []
    async for number in ahead(chunks.read()):
        await asyncio.sleep(0)
        seen.append((number, list(chunks.begun)))
    assert seen == [(0, [0, 1]), (1, [0, 1, 2]), (2, [0, 1, 2])]
    assert chunks.closed


async def test_error_is_raised_after_the_chunks_before_it() -> None:
    chunks = Chunks(3, fails_at=1)
    reading = ahead(chunks.read())
    assert await anext(reading) == 0
    with pytest.raises(ConnectionError):
        await anext(reading)
    assert chunks.closed


async def test_closing_the_reader_early_closes_the_source() -> None:
    chunks = Chunks(5)
    reading = ahead(chunks.read())
    assert await anext(reading) == 0
    await reading.aclose()
    assert chunks.closed
    assert len(chunks.begun) <= 2
