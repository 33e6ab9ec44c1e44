"""Starting: refused on another schema, patient with a database or provider that is not there yet."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator

import httpx
import pytest
from asgi_lifespan import LifespanManager
from gateway_world import MASTER_KEY, World

from inference_gateway.main import Settings, create_app
from llmbench.errors import WrongSchemaVersion
from llmbench_cli.embedded.ports import free_port


def test_it_can_be_looked_at_without_settings() -> None:
    assert create_app().openapi()["info"]["title"] == "llmbench inference gateway"


async def test_another_schema_is_refused(empty_postgres_url: str, nats_url: str) -> None:
    app = create_app(Settings(nats_url=nats_url, database_url=empty_postgres_url, master_key=MASTER_KEY))
    with pytest.raises(WrongSchemaVersion, match="llmbench migrate"):
        async with LifespanManager(app):
            pass


async def test_the_process_says_so_in_one_line_and_ends(empty_postgres_url: str, nats_url: str) -> None:
    environment = {
        "LLMBENCH_DATABASE_URL": empty_postgres_url,
        "LLMBENCH_NATS_URL": nats_url,
        "LLMBENCH_MASTER_KEY": MASTER_KEY,
    }
    for spoilt in ({}, {"LLMBENCH_MASTER_KEY": "short"}, {"LLMBENCH_INFERENCE_GATEWAY_PROT": "1"}):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "inference_gateway", env=environment | spoilt, stderr=asyncio.subprocess.PIPE
        )
        _, errors = await asyncio.wait_for(process.communicate(), 30)
        assert process.returncode == 1
        [line] = errors.decode().splitlines()
        assert line.startswith("llmbench inference-gateway: ")
        assert MASTER_KEY not in line


async def test_a_database_that_is_not_there_yet_is_waited_for(world: World) -> None:
    """The database is reached through a port on which, at first, nothing listens."""
    port = free_port()
    real = world.database_url.rpartition("@")[2]
    host, _, real_port = real.partition("/")[0].partition(":")
    late = world.database_url.replace(real, f"127.0.0.1:{port}/{real.partition('/')[2]}")
    app = create_app(Settings(nats_url=world.nats_url, database_url=late, master_key=MASTER_KEY))
    command = world.command()
    await world.open_lane(command.group)
    await world.send(command)
    async with (
        LifespanManager(app, startup_timeout=30, shutdown_timeout=30) as manager,
        httpx.AsyncClient(transport=httpx.ASGITransport(manager.app), base_url="http://127.0.0.1") as http,
    ):
        lacking = await http.get("/health/ready")
        assert (lacking.status_code, lacking.json()["detail"]) == (503, "PostgreSQL does not answer")
        assert (await http.get("/health/live")).status_code == 200
        assert not await world.ledger()
        async with _forwarding(port, host, int(real_port)):
            await world.finished(command.call_id)
            await world.nothing_pending(command.group)


@contextlib.asynccontextmanager
async def _forwarding(port: int, host: str, to: int) -> AsyncIterator[None]:
    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while received := await reader.read(65536):
                writer.write(received)
                await writer.drain()
        writer.close()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(host, to)
        await asyncio.gather(pipe(reader, back), pipe(there, writer))

    server = await asyncio.start_server(forward, "127.0.0.1", port)
    try:
        yield
    finally:
        server.close()
