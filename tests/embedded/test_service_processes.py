"""Test every service as a separate process.

A service answers while a server is unreachable, and reports which server that is. It starts working once the server can
be reached, and ends soon after SIGTERM in every state.
"""

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from llmbench.db.logins import SERVICE_GRANTS, ensure_logins
from llmbench.db.migrate import upgrade
from llmbench_cli.embedded.ports import LOOPBACK, free_port
from llmbench_cli.embedded.process import ProcessSpec, spawn
from llmbench_cli.embedded.services import IDENTITY, SERVICES, Surroundings, service_spec, with_login
from tests.servers import nats_server, postgres_server

pytestmark = pytest.mark.never_rerun

ENDS_S = 8.0
"""The limit for ending after SIGTERM, in seconds. The supervisor kills a service that takes longer than 10 s."""
TRIES = 3
"""The attempts: a busy machine may delay one shutdown, but a service that waits for something is late every time."""
ANSWERS_S = 240.0
USES_DATABASE = ("config-api", "orchestrator", "inference-gateway", IDENTITY)


def _spec(name: str, port: int, folder: Path, *, database_url: str, nats_url: str) -> ProcessSpec:
    surroundings = Surroundings(
        database_urls=dict.fromkeys(USES_DATABASE, database_url),
        nats_urls={name: nats_url},
        master_key="only-for-tests-only-for-tests-only-for-tests",
        public_origins="http://127.0.0.1",
        log_level=None,
        logs=folder,
        files=folder / "files",
    )
    return service_spec(name, port, surroundings)


async def _login(name: str, database_url: str) -> str:
    """Return a database URL that the service accepts: identity refuses the login of a superuser."""
    if name != IDENTITY:
        return database_url
    await ensure_logins(database_url, {IDENTITY: "only-for-tests"})
    return with_login(database_url, SERVICE_GRANTS[IDENTITY].role, "only-for-tests")


@contextlib.asynccontextmanager
async def _service(spec: ProcessSpec) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await spawn(spec)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _end(process: asyncio.subprocess.Process) -> float:
    """Send SIGTERM, and return the seconds until the process has ended."""
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    await asyncio.wait_for(process.wait(), ANSWERS_S)
    took_s = time.monotonic() - began
    assert process.returncode in (0, -signal.SIGTERM), f"{process.returncode} after {took_s:.1f} s"
    return took_s


async def _ends_soon(attempt: Callable[[], Awaitable[float]]) -> None:
    """Require that the service ends in time in at least one attempt, because the machine may be slow. Each attempt
    starts a new process."""
    took_s: list[float] = []
    while not took_s or took_s[-1] > ENDS_S:
        assert len(took_s) < TRIES, f"it ended after {took_s} s"
        took_s.append(await attempt())


async def _lacks(port: int, *words: str) -> None:
    """Wait until the service is alive but not ready, and the reason that it reports contains all of `words`."""
    async with httpx.AsyncClient(base_url=f"http://{LOOPBACK}:{port}", timeout=90) as http, asyncio.timeout(ANSWERS_S):
        while True:
            with contextlib.suppress(httpx.TransportError):
                live, ready = await http.get("/health/live"), await http.get("/health/ready")
                assert live.status_code == 200
                assert ready.status_code == 503, ready.text
                if all(word in ready.json()["detail"] for word in words):
                    return
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("name", SERVICES)
async def test_service_without_nats_answers_and_ends_on_sigterm(name: str, postgres_url: str, tmp_path: Path) -> None:
    port, nats_port = free_port(), free_port()
    database_url = await _login(name, postgres_url)
    nowhere = _spec(
        name, port, tmp_path, database_url=database_url, nats_url=f"nats://nobody:secret-word@127.0.0.1:{nats_port}"
    )

    async def without_a_server() -> float:
        async with _service(nowhere) as process:
            await _lacks(port, "NATS does not answer", "Connection refused")
            return await _end(process)

    async def refused_by_a_server_that_came_late() -> float:
        async with _service(nowhere) as process:
            await _lacks(port, "NATS does not answer")
            async with nats_server(tmp_path / "nats", port=nats_port):
                # The service keeps trying a server that refuses its login, because the server's passwords may be
                # corrected.
                await _lacks(port, "NATS does not answer", "Authorization Violation")
                return await _end(process)

    await _ends_soon(without_a_server)
    await _ends_soon(refused_by_a_server_that_came_late)
    assert "secret-word" not in nowhere.log.read_text()


@pytest.mark.parametrize("name", SERVICES)
async def test_service_survives_late_and_lost_nats(name: str, tmp_path: Path) -> None:
    port, nats_port = free_port(), free_port()
    async with contextlib.AsyncExitStack() as stack:
        database_url = await stack.enter_async_context(postgres_server(tmp_path))
        await upgrade(database_url)
        database_url = await _login(name, database_url)
        nats_url = f"nats://llmbench:only-for-tests@127.0.0.1:{nats_port}"
        spec = _spec(name, port, tmp_path, database_url=database_url, nats_url=nats_url)

        async def after_a_server_came_and_went() -> float:
            async with _service(spec) as process:
                await _lacks(port, "NATS does not answer")
                async with nats_server(tmp_path / "nats", port=nats_port):
                    await asyncio.wait_for(spec.ready(), ANSWERS_S)
                await _lacks(port, "NATS")
                return await _end(process)

        await _ends_soon(after_a_server_came_and_went)


@pytest.mark.parametrize("name", USES_DATABASE)
async def test_service_without_postgres_answers_and_ends_on_sigterm(name: str, nats_url: str, tmp_path: Path) -> None:
    port = free_port()
    database_url = f"postgresql://llmbench:secret-word@127.0.0.1:{free_port()}/llmbench"

    async def without_a_database() -> float:
        async with _service(_spec(name, port, tmp_path, database_url=database_url, nats_url=nats_url)) as process:
            await _lacks(port, "PostgreSQL does not answer")
            return await _end(process)

    await _ends_soon(without_a_database)
    assert "secret-word" not in (tmp_path / f"{name}.log").read_text()
