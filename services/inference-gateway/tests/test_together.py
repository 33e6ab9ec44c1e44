"""Test the batching of database queries: waiting queries share a round trip, and a faulty query fails alone."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import asyncpg
import pytest

from inference_gateway.adapters.query_batcher import MAX_QUERIES
from inference_gateway.adapters.session import Session
from inference_gateway.ports import SessionLost

TABLE = "CREATE TEMPORARY TABLE paid (number integer PRIMARY KEY, even integer CHECK (even % 2 = 0))"
STORE = "INSERT INTO paid VALUES ($1, $2) ON CONFLICT DO NOTHING"
WRITTEN_BY = "SELECT count(DISTINCT xmin::text), count(*) FROM paid"


@pytest.fixture
async def connection(postgres_url: str) -> AsyncIterator[asyncpg.Connection]:
    opened = await asyncpg.connect(postgres_url)
    await opened.execute(TABLE)
    yield opened
    await opened.close()


async def _store(connection: asyncpg.Connection, rows: Sequence[tuple[int, int]], timeout: float) -> list[int]:
    await connection.executemany(STORE, rows, timeout=timeout)
    return [number for number, _ in rows]


@pytest.fixture
def session(connection: asyncpg.Connection) -> Session:
    return Session(connection)


async def test_simultaneous_rows_are_written_in_one_transaction(
    connection: asyncpg.Connection, session: Session
) -> None:
    await asyncio.gather(*(session.ask(_store, (number, 2)) for number in range(MAX_QUERIES)))
    assert tuple(await connection.fetchrow(WRITTEN_BY) or ()) == (1, MAX_QUERIES)
    await session.ask(_store, (MAX_QUERIES, 2))
    assert tuple(await connection.fetchrow(WRITTEN_BY) or ()) == (2, MAX_QUERIES + 1)


async def test_rows_beyond_the_batch_limit_need_several_transactions(
    connection: asyncpg.Connection, session: Session
) -> None:
    await asyncio.gather(*(session.ask(_store, (number, 2)) for number in range(2 * MAX_QUERIES + 1)))
    assert tuple(await connection.fetchrow(WRITTEN_BY) or ()) == (3, 2 * MAX_QUERIES + 1)


async def test_invalid_row_fails_alone(connection: asyncpg.Connection, session: Session) -> None:
    writes = (session.ask(_store, (number, 3 if number == 5 else 2)) for number in range(10))
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert [number for number, result in enumerate(results) if result != number] == [5]
    assert isinstance(results[5], asyncpg.CheckViolationError)
    stored = await connection.fetchval("SELECT array_agg(number ORDER BY number) FROM paid")
    assert stored == [number for number in range(10) if number != 5]


async def test_every_waiting_query_fails_when_the_connection_is_lost(
    connection: asyncpg.Connection, session: Session
) -> None:
    connection.terminate()
    results = await asyncio.gather(*(session.ask(_store, (number, 2)) for number in range(3)), return_exceptions=True)
    assert [type(result) for result in results] == [SessionLost] * 3
    with pytest.raises(SessionLost):
        await session.ask(_store, (9, 2))


async def test_queued_queries_run_in_the_next_batch_before_its_query(
    connection: asyncpg.Connection, session: Session
) -> None:
    session.enqueue(_store, (1, 2))
    session.enqueue(_store, (2, 2))
    assert await session.ask(_store, (3, 2)) == 3
    assert tuple(await connection.fetchrow(WRITTEN_BY) or ()) == (1, 3), "in one transaction"


async def test_queued_queries_run_without_a_further_query(connection: asyncpg.Connection, session: Session) -> None:
    session.enqueue(_store, (1, 3))
    session.enqueue(_store, (2, 2))
    async with asyncio.timeout(90):
        while await session.do(connection.fetchval, "SELECT count(*) FROM paid") != 1:
            await asyncio.sleep(0.01)
    connection.terminate()
    session.enqueue(_store, (3, 2))
    with pytest.raises(SessionLost):
        await session.ask(_store, (4, 2))
