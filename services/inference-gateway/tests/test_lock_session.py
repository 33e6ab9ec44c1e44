"""Test the slots for calls to a model. A slot is held by one process at a time, and is freed when this process ends."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from uuid import uuid4

import asyncpg
import pytest

from inference_gateway.adapters.beginning import Free, begin
from inference_gateway.adapters.lock_session import LockSession
from inference_gateway.ports import SessionLost
from llmbench.contracts.generate_completion import GenerateCompletion

pytestmark = pytest.mark.never_rerun

COMMAND = GenerateCompletion.model_validate(GenerateCompletion.EXAMPLES[0])


@contextlib.asynccontextmanager
async def _locks(database_url: str) -> AsyncIterator[LockSession]:
    """Run the database session that holds a gateway's locks, and yield it once it is connected."""
    async with _running(database_url) as locks:
        await locks.connected()
        yield locks


@contextlib.asynccontextmanager
async def _running(database_url: str) -> AsyncIterator[LockSession]:
    locks = LockSession(database_url, on_lost=lambda: None, stopping=lambda: False, application_name="test")
    running = asyncio.create_task(locks.run())
    try:
        yield locks
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running


async def _reached(locks: LockSession, group: str, reached: asyncio.Event) -> None:
    async with locks.hold(group, 2, COMMAND):
        reached.set()
        await asyncio.Event().wait()


async def _held(locks: LockSession, postgres_url: str) -> int:
    # A query now runs after the pending release of locks, which is sent with it or before it.
    session = locks.current()
    await session.ask(begin, Free(()))
    connection = await asyncpg.connect(postgres_url)
    try:
        found = "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory'"
        return int(await connection.fetchval(found + " AND application_name = 'test'"))
    finally:
        await connection.close()


@pytest.mark.parametrize("turns", range(6))
async def test_cancelled_lock_request_leaves_no_lock(postgres_url: str, turns: int) -> None:
    """No lock stays held, whenever the task is cancelled: before its query is sent, while the query runs, or after its
    result. `turns` is the number of turns of the event loop before the cancellation."""
    async with _locks(postgres_url) as locks:
        busy = asyncio.create_task(locks.current().do(locks.current().connection.execute, "SELECT pg_sleep(0.2)"))
        reached = asyncio.Event()
        wanting = asyncio.create_task(_reached(locks, "group", reached))
        for _ in range(turns):
            await asyncio.sleep(0)
        wanting.cancel()
        await asyncio.wait({wanting, busy})
        assert wanting.cancelled()
        assert not locks.current().held
        assert await _held(locks, postgres_url) == 0

        again = asyncio.create_task(_reached(locks, "group", reached))
        await reached.wait()
        assert await _held(locks, postgres_url) == 2, "the slot and the call"
        again.cancel()
        await asyncio.wait({again})
        assert await _held(locks, postgres_url) == 0


async def test_lock_session_reads_committed_data_whatever_the_databases_default(postgres_url: str) -> None:
    owner = await asyncpg.connect(postgres_url)
    try:
        name = await owner.fetchval("SELECT quote_ident(current_database())")
        await owner.execute(f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'")
    finally:
        await owner.close()
    async with _locks(postgres_url) as locks:
        session = locks.current()
        assert await session.do(session.connection.fetchval, "SHOW transaction_isolation") == "read committed"


async def test_failed_statement_ends_the_session_and_releases_its_locks(postgres_url: str) -> None:
    """A failed statement may have taken some of its locks. Ending the session releases all of them."""
    async with _locks(postgres_url) as locks:
        session = locks.current()
        await session.do(session.connection.execute, "DROP FUNCTION pg_temp.begin_calls")
        with pytest.raises(SessionLost):
            await _reached(locks, "group", asyncio.Event())
        assert not session.alive
        assert not session.held


async def test_missing_database_right_is_named(postgres_url: str) -> None:
    owner = await asyncpg.connect(postgres_url)
    role = f"gateway_{uuid4().hex}"
    try:
        name = await owner.fetchval("SELECT quote_ident(current_database())")
        await owner.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC; CREATE ROLE {role} LOGIN PASSWORD 'x'")
        running = _running(f"postgresql://{role}:x@{postgres_url.rpartition('@')[2]}")
        async with running as locks, asyncio.timeout(90):
            while "temporary" not in locks.trouble:
                await asyncio.sleep(0.01)
            assert not locks.alive
            await owner.execute(f"GRANT TEMPORARY ON DATABASE {name} TO {role}")
            await locks.connected()
    finally:
        # The role can be dropped only when its sessions have ended, a moment after their connections.
        async with asyncio.timeout(90):
            while await owner.fetchval("SELECT count(*) FROM pg_stat_activity WHERE usename = $1", role):
                await asyncio.sleep(0.01)
        await owner.execute(f"REVOKE ALL ON DATABASE {name} FROM {role}; DROP ROLE {role}")
        await owner.close()
