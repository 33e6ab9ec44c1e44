"""Test start-up: the service refuses a wrong database schema, and waits for an unreachable database or broker."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from asgi_lifespan import LifespanManager
from gateway_world import MASTER_KEY, World

from inference_gateway.main import Settings, create_app
from llmbench.errors import WrongSchemaVersion
from llmbench_cli.embedded.ports import free_port
from tests.servers import nats_server


def test_openapi_document_needs_no_settings() -> None:
    assert create_app().openapi()["info"]["title"] == "llmbench inference gateway"


async def test_wrong_database_schema_is_refused(empty_postgres_url: str, nats_url: str) -> None:
    app = create_app(Settings(nats_url=nats_url, database_url=empty_postgres_url, master_key=MASTER_KEY))
    with pytest.raises(WrongSchemaVersion, match="llmbench migrate"):
        async with LifespanManager(app, startup_timeout=240, shutdown_timeout=240):
            pass


async def test_process_with_a_wrong_schema_exits_with_one_line(empty_postgres_url: str, nats_url: str) -> None:
    environment = {
        "LLMBENCH_DATABASE_URL": empty_postgres_url,
        "LLMBENCH_NATS_URL": nats_url,
        "LLMBENCH_MASTER_KEY": MASTER_KEY,
    }
    for spoilt in ({}, {"LLMBENCH_MASTER_KEY": "short"}, {"LLMBENCH_INFERENCE_GATEWAY_PROT": "1"}):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "inference_gateway", env=environment | spoilt, stderr=asyncio.subprocess.PIPE
        )
        _, errors = await asyncio.wait_for(process.communicate(), 90)
        assert process.returncode == 1
        [line] = errors.decode().splitlines()
        assert line.startswith("llmbench inference-gateway: ")
        assert MASTER_KEY not in line


async def test_service_starts_before_its_database_and_waits_for_it(world: World) -> None:
    """The service starts while nothing listens on the database's port. Later, a forwarder listens there, and the
    service connects through it."""
    port = free_port()
    real = world.database_url.rpartition("@")[2]
    host, _, real_port = real.partition("/")[0].partition(":")
    late = world.database_url.replace(real, f"127.0.0.1:{port}/{real.partition('/')[2]}")
    app = create_app(Settings(nats_url=world.nats_url, database_url=late, master_key=MASTER_KEY))
    command = world.command()
    await world.open_lane(command.group)
    await world.send(command)
    async with (
        LifespanManager(app, startup_timeout=240, shutdown_timeout=240) as manager,
        httpx.AsyncClient(transport=httpx.ASGITransport(manager.app), base_url="http://127.0.0.1") as http,
    ):
        async with asyncio.timeout(90):
            # Only the database is missing: NATS is already connected.
            words = "PostgreSQL does not answer: [Errno 111] Connect call failed"
            while words not in (lacking := await http.get("/health/ready")).json()["detail"]:
                await asyncio.sleep(0.01)
        assert lacking.status_code == 503
        assert (await http.get("/health/live")).status_code == 200
        assert not await world.ledger()
        async with _forwarding(port, host, int(real_port)):
            await world.finished(command.call_id)
            await world.nothing_pending(command.group)


async def test_service_without_a_broker_answers_health_checks_and_stops(world: World, tmp_path: Path) -> None:
    """The service answers health checks without a broker, and SIGTERM ends it. This holds while nothing listens on
    NATS's port, and while a server there refuses the login."""
    nats_port = free_port()
    for refusing in (False, True):
        async with contextlib.AsyncExitStack() as stack:
            words = "NATS does not answer"
            if refusing:
                await stack.enter_async_context(nats_server(tmp_path / "nats", port=nats_port))
                words = "Authorization Violation"
            http_port = free_port()
            process = await stack.enter_async_context(
                _process(world, nats_url=f"nats://nobody:wrong@127.0.0.1:{nats_port}", http_port=http_port)
            )
            async with (
                httpx.AsyncClient(base_url=f"http://127.0.0.1:{http_port}", timeout=90) as http,
                asyncio.timeout(90),
            ):
                detail = ""
                while words not in detail:
                    with contextlib.suppress(httpx.TransportError):
                        assert (await http.get("/health/live")).status_code == 200
                        detail = (await http.get("/health/ready")).json().get("detail", "")
                    await asyncio.sleep(0.05)
            process.terminate()
            assert await asyncio.wait_for(process.wait(), 90) in (0, -signal.SIGTERM)


async def test_service_waits_for_a_late_broker(world: World, tmp_path: Path) -> None:
    nats_port = free_port()
    settings = world.settings().model_copy(update={"nats_url": world.nats_url.rpartition(":")[0] + f":{nats_port}"})
    app = create_app(settings)
    async with (
        LifespanManager(app, startup_timeout=240, shutdown_timeout=240) as manager,
        httpx.AsyncClient(transport=httpx.ASGITransport(manager.app), base_url="http://127.0.0.1") as http,
    ):
        lacking = await http.get("/health/ready")
        assert (lacking.status_code, lacking.json()["detail"][:20]) == (503, "NATS does not answer")
        async with nats_server(tmp_path / "late", port=nats_port), asyncio.timeout(90):
            while (await http.get("/health/ready")).status_code != 200:
                await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def _process(world: World, *, nats_url: str, http_port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    environment = {
        "LLMBENCH_DATABASE_URL": world.database_url,
        "LLMBENCH_NATS_URL": nats_url,
        "LLMBENCH_MASTER_KEY": MASTER_KEY,
        "LLMBENCH_INFERENCE_GATEWAY_PORT": str(http_port),
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "inference_gateway", env=environment, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@contextlib.asynccontextmanager
async def _forwarding(port: int, host: str, to: int) -> AsyncIterator[None]:
    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while received := await reader.read(65536):
                writer.write(received)
                await writer.drain()
        writer.close()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream_reader, back = await asyncio.open_connection(host, to)
        await asyncio.gather(pipe(reader, back), pipe(upstream_reader, writer))

    server = await asyncio.start_server(forward, "127.0.0.1", port)
    try:
        yield
    finally:
        server.close()
