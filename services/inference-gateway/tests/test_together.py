"""Rows that wait for the connection are written together, and a bad one spoils only itself."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from inference_gateway.adapters.lock_session import Session
from inference_gateway.adapters.together import MOST_ROWS, Together
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


@pytest.fixture
def together(connection: asyncpg.Connection) -> Together:
    return Together(Session(connection), STORE)


async def test_rows_that_come_at_once_are_one_transaction(connection: asyncpg.Connection, together: Together) -> None:
    await asyncio.gather(*(together.write((number, 2)) for number in range(MOST_ROWS)))
    assert tuple(await connection.fetchrow(WRITTEN_BY) or ()) == (1, MOST_ROWS)
    await together.write((MOST_ROWS, 2))
    assert tuple(await connection.fetchrow(WRITTEN_BY) or ()) == (2, MOST_ROWS + 1)


async def test_more_than_one_statement_may_take_are_several(connection: asyncpg.Connection, together: Together) -> None:
    await asyncio.gather(*(together.write((number, 2)) for number in range(2 * MOST_ROWS + 1)))
    assert tuple(await connection.fetchrow(WRITTEN_BY) or ()) == (3, 2 * MOST_ROWS + 1)


async def test_a_bad_row_fails_alone(connection: asyncpg.Connection, together: Together) -> None:
    writes = (together.write((number, 3 if number == 5 else 2)) for number in range(10))
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert [number for number, result in enumerate(results) if result is not None] == [5]
    assert isinstance(results[5], asyncpg.CheckViolationError)
    stored = await connection.fetchval("SELECT array_agg(number ORDER BY number) FROM paid")
    assert stored == [number for number in range(10) if number != 5]


async def test_everybody_is_told_of_a_lost_connection(connection: asyncpg.Connection, together: Together) -> None:
    connection.terminate()
    results = await asyncio.gather(*(together.write((number, 2)) for number in range(3)), return_exceptions=True)
    assert [type(result) for result in results] == [SessionLost] * 3
    with pytest.raises(SessionLost):
        await together.write((9, 2))
