"""Fixtures for tests that need a real PostgreSQL or NATS server.

- `postgres_url`: a freshly migrated database per test, on one server per session
- `empty_postgres_url`: a database without tables per test, on that server
- `nats_url`: a NATS server per test (it starts in 0.06 s); in containers one per session, emptied before each test

`--servers` says where the servers come from:

- `embedded`, the default: from wheels
- `containers`: from the images in docker-compose.yml. Tests that use none of these fixtures are left out, except those
  in tests/deploy
- `none`: from wheels, but the tests of libs and services that use these fixtures are left out, to complete a run with
  `containers`
"""

import gc
import os
import signal
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import asyncpg
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, settings

from llmbench.ids import DEFAULT_ORG_ID
from llmbench_cli.embedded.binaries import checkout
from tests import preloaded
from tests.servers import nats_server, postgres_server

if TYPE_CHECKING:
    from tests.containers import SharedNats

TEMPLATE = "llmbench_template"
ON_CONTAINERS = ("libs", "services")
"""The folders whose tests `make test-containers` runs."""

# Tests compute in this process as services do in theirs, see `llmbench.service.serve.imported`.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell without job control starts background jobs with Ctrl-C ignored, and child processes inherit this. The tests
# that send SIGINT to a child process would then wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# An example's duration depends on the machine's load, not only on the code, so it has no deadline. The examples are the
# same in each run, so that no run fails by chance. `--hypothesis-profile=long` draws ten times as many at random.
settings.register_profile("short", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", settings.get_profile("short"), derandomize=False, max_examples=1_000)
settings.load_profile("short")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--servers",
        choices=("embedded", "containers", "none"),
        default="embedded",
        help="where PostgreSQL and NATS of the fixtures come from: the wheels, or the images of docker-compose.yml; "
        "none leaves out what ran on these images",
    )
    parser.addoption(
        "--schemathesis-examples",
        type=int,
        default=4,
        help="requests made up per operation, valid and invalid ones each",
    )
    parser.addoption(
        "--every-cell",
        action="store_true",
        help="try every cell of docs/generated/access.md, and not only every fourth, and every hostile value as an id",
    )


def pytest_sessionstart() -> None:
    preloaded.open_servers()


def pytest_unconfigure() -> None:
    preloaded.close_servers()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that the value of `--servers` leaves out."""
    servers = config.getoption("--servers")
    if servers == "embedded":
        return
    official = checkout() / "tests" / "deploy"
    rooms = [checkout() / name for name in ON_CONTAINERS]

    def kept(item: pytest.Item) -> bool:
        uses_server = "in_containers" in getattr(item, "fixturenames", ())
        if servers == "containers":
            return uses_server or item.path.is_relative_to(official)
        return not (uses_server and any(item.path.is_relative_to(room) for room in rooms))

    config.hook.pytest_deselected(items=[item for item in items if not kept(item)])
    items[:] = [item for item in items if kept(item)]


def pytest_collection_finish() -> None:
    """Exclude all objects that exist after the collection of tests from the garbage collector, because they live until
    the end.

    Python's default, a scan per 700 new objects, costs a fifth of the CPU time of tests in this process.
    """
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


@pytest.fixture(scope="session")
def in_containers(request: pytest.FixtureRequest) -> bool:
    """Return whether `--servers=containers` is given. Skip the test if containers cannot be started here."""
    if request.config.getoption("--servers") != "containers":
        return False
    from tests.containers import require_docker

    require_docker()
    return True


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def postgres_server_url(tmp_path_factory: pytest.TempPathFactory, in_containers: bool) -> AsyncIterator[str]:
    """Yield the superuser's URL of the session's PostgreSQL server."""
    if in_containers:
        from tests.containers import postgres_container

        server = postgres_container()
    else:
        server = postgres_server(tmp_path_factory.mktemp("postgres"))
    async with server as url:
        # Each test opens several connections, and by default each of them costs 4096 rounds of hashing.
        await _execute(url, f"SET scram_iterations = 1; ALTER ROLE CURRENT_USER PASSWORD '{urlsplit(url).password}'")
        await _bind_by_default(url)
        yield url


async def _bind_by_default(url: str) -> None:
    """Configure the database so that rows which tests insert as the superuser belong to the default organisation."""
    await _execute(url, f"ALTER ROLE CURRENT_USER SET app.org = '{DEFAULT_ORG_ID}'")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def migrated_template(postgres_server_url: str) -> str:
    """Return the name of a migrated database to copy, because a copy is much faster than a migration."""
    # Import only here: a test without a schema must not depend on the migrations.
    from llmbench.db.migrate import upgrade

    await _execute(postgres_server_url, f"CREATE DATABASE {TEMPLATE}")
    await upgrade(_database(postgres_server_url, TEMPLATE))
    return TEMPLATE


@pytest.fixture
async def postgres_url(postgres_server_url: str, migrated_template: str) -> AsyncIterator[str]:
    """Yield the URL of a new database with the current schema."""
    name = f"test_{uuid.uuid4().hex}"
    await _execute(postgres_server_url, f"CREATE DATABASE {name} TEMPLATE {migrated_template} STRATEGY FILE_COPY")
    yield _database(postgres_server_url, name)
    await _execute(postgres_server_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def empty_postgres_url(postgres_server_url: str) -> AsyncIterator[str]:
    """Yield the URL of a database without tables."""
    name = f"test_{uuid.uuid4().hex}"
    await _execute(postgres_server_url, f"CREATE DATABASE {name}")
    yield _database(postgres_server_url, name)
    await _execute(postgres_server_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def shared_nats(in_containers: bool) -> "Iterator[SharedNats | None]":
    """Yield the NATS container of the session with `--servers=containers`, otherwise None."""
    if not in_containers:
        yield None
        return
    from tests.containers import SharedNats

    shared = SharedNats()
    yield shared
    shared.stop()


@pytest.fixture
async def nats_url(tmp_path: Path, shared_nats: "SharedNats | None") -> AsyncIterator[str]:
    """Yield the URL of a NATS server with an empty JetStream."""
    if shared_nats is not None:
        yield await shared_nats.emptied()
        return
    async with nats_server(tmp_path) as url:
        yield url


def _database(url: str, name: str) -> str:
    return f"{url.rsplit('/', 1)[0]}/{name}"


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
