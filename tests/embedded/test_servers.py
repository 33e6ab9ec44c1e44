"""Test the PostgreSQL and NATS servers of tests and `llmbench up`: they start, serve, refuse unknown logins, and
end."""

import asyncio
from pathlib import Path

import asyncpg
import nats
import psutil
import pytest

from llmbench.messaging.fence import fence
from tests.servers import nats_server, postgres_server


async def test_new_database_is_utf8_and_needs_a_password(empty_postgres_url: str) -> None:
    connection = await asyncpg.connect(empty_postgres_url)
    try:
        assert await connection.fetchval("SHOW server_encoding") == "UTF8"
        assert await connection.fetchval("SHOW fsync") == "off"
    finally:
        await connection.close()
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(empty_postgres_url.replace("only-for-tests", "wrong"))


async def test_postgres_ends_with_its_context(tmp_path: Path) -> None:
    async with postgres_server(tmp_path) as url:
        connection = await asyncpg.connect(url)
        pid = await connection.fetchval("SELECT pg_backend_pid()")
        parent = psutil.Process(pid).parent()
        assert parent is not None
        assert "postgres" in parent.name()
        await connection.close()
    assert not parent.is_running()


async def test_nats_keeps_stored_messages_over_a_restart(tmp_path: Path) -> None:
    async with nats_server(tmp_path) as url:
        port = int(url.rsplit(":", 1)[1])
        client = await nats.connect(url)
        stream = client.jetstream()
        await stream.add_stream(name="KEPT", subjects=["kept.>"])
        await stream.publish("kept.one", b"1")
        await client.close()
    async with nats_server(tmp_path, port=port) as url:
        client = await nats.connect(url)
        info = await client.jetstream().stream_info("KEPT")
        assert info.state.messages == 1
        await client.close()


async def test_anonymous_nats_user_may_only_read_events(nats_url: str) -> None:
    refusals: asyncio.Queue[Exception] = asyncio.Queue()

    service = await nats.connect(nats_url)
    address = f"nats://{nats_url.split('@')[1]}"
    visitor = await nats.connect(address, error_cb=refusals.put)
    events = await visitor.subscribe("evt.run.>")
    await fence(visitor)
    await service.publish("evt.run.1.status", b"{}")
    assert (await events.next_msg(timeout=90)).data == b"{}"

    await visitor.publish("cmd.infer.group.run", b"{}")
    await visitor.subscribe("cmd.>")
    for _ in range(2):
        refusal = await asyncio.wait_for(refusals.get(), timeout=90)
        assert "permissions violation" in str(refusal).lower()
    await visitor.close()
    await service.close()
