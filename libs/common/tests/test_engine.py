"""Test that the connection pool does not reuse an asyncpg connection whose query was interrupted."""

import asyncio

import pytest

from llmbench.db.engine import driver, open_engine


async def test_connection_left_during_a_query_is_not_reused(postgres_url: str) -> None:
    async with open_engine(postgres_url, application_name="test", pool_size=1) as engine:
        async with driver(engine) as connection:
            left = await connection.fetchval("SELECT pg_backend_pid()")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2), driver(engine) as connection:
                await connection.execute("SELECT pg_sleep(60)")
        async with driver(engine) as connection:
            assert await connection.fetchval("SELECT pg_backend_pid()") != left
