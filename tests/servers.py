"""Run real PostgreSQL and NATS servers for tests, started by the same code as in `llmbench up`.

    async with postgres_server(folder) as url: ...
    async with nats_server(folder) as url: ...

PostgreSQL runs without fsync here: tests kill processes, not machines. Logs go to files in the folder, so a server
needs no running event loop.
"""

import asyncio
import contextlib
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from llmbench_cli.embedded.binaries import checkout, script
from llmbench_cli.embedded.nats import CONFIGS, LOGINS, Nats
from llmbench_cli.embedded.place import place
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.postgres import Cluster, prepare
from llmbench_cli.embedded.process import ProcessSpec, end, spawn
from tests import preloaded

START_TIMEOUT_S = 120.0
FAST = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
"""Settings for tests that do not kill PostgreSQL itself: a kill would lose committed transactions."""
OUTLIVING_KILLS = {"fsync": "off"}
"""Settings for tests that kill PostgreSQL: committed data survive in the kernel's cache; only a machine's crash
loses them."""


@dataclass
class Service:
    """A program's process that can be killed and started again with the same port and data."""

    spec: ProcessSpec
    process: asyncio.subprocess.Process | None = None
    preloaded: bool = False
    """Start the program, a Python module, from a preloaded process if there is one."""

    async def start(self) -> None:
        """Start the process, and return once it is ready."""
        self.process = await (_preloaded(self.spec) if self.preloaded else spawn(self.spec))
        ready = asyncio.ensure_future(self.spec.ready())
        ended = asyncio.ensure_future(self.process.wait())
        try:
            await asyncio.wait({ready, ended}, timeout=START_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED)
            assert ready.done(), f"{self.spec.name} did not start: {self.log()[-3000:]}"
            ready.result()
        finally:
            ready.cancel()
            ended.cancel()

    async def kill(self) -> None:
        """Kill the process and its descendants with SIGKILL."""
        assert self.process is not None
        self.signal(signal.SIGKILL)
        await self.process.wait()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and its descendants."""
        assert self.process is not None
        for one in self._tree():
            with contextlib.suppress(psutil.NoSuchProcess):
                one.send_signal(number)

    async def stop(self) -> None:
        if self.process is not None:
            # Continue a frozen process, because it could not handle the signal to end.
            self.signal(signal.SIGCONT)
            await end(self.process, self.spec)

    def log(self) -> str:
        return self.spec.log.read_text(errors="replace")

    def _tree(self) -> list[psutil.Process]:
        assert self.process is not None
        try:
            first = psutil.Process(self.process.pid)
            return [first, *first.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []


async def _preloaded(spec: ProcessSpec) -> asyncio.subprocess.Process:
    """Start the process that `spec` describes by a fork server, which has already imported the program's modules."""
    _, option, module, *arguments = spec.command
    assert option == "-m"
    spec.log.parent.mkdir(parents=True, exist_ok=True)
    with spec.log.open("ab", buffering=0) as log:
        return await preloaded.start(
            module,
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=asyncio.subprocess.STDOUT,
            cwd=spec.cwd,
            env=spec.env,
            umask=0o077,
            start_new_session=True,
        )


@contextlib.asynccontextmanager
async def running(spec: ProcessSpec) -> AsyncIterator[Service]:
    """Run a program until the block is left. Yields once the program is ready."""
    service = Service(spec)
    try:
        await service.start()
        yield service
    finally:
        await service.stop()


def open_folder(within: Path | None = None) -> Path:
    """Return a new folder that every user of this machine can enter; the caller removes it."""
    folder = Path(tempfile.mkdtemp(prefix="llmbench-test-", dir=within))
    folder.chmod(0o755)
    return folder


def cluster_in(home: Path) -> Cluster:
    """Return a PostgreSQL server for a test, with its data and its log in `home`. Every user must be able to enter that
    folder.
    """
    where = place(home / "postgres")
    return Cluster(
        programs=where.programs,
        data=where.data,
        account=where.account,
        password="only-for-tests",
        log=home / "postgres.log",
    )


@contextlib.asynccontextmanager
async def postgres_service(
    folder: Path | None = None,
    *,
    settings: Mapping[str, str] = FAST,
    disk: Path | None = None,
    data: Path | None = None,
) -> AsyncIterator[tuple[Service, str]]:
    """Yield a new, empty PostgreSQL server and its URL (superuser, database `postgres`).

    With `settings` {} the server is as durable as in `llmbench up`. `folder` keeps the log. The data are in a new
    folder within `disk`, because an unprivileged user cannot enter pytest's temporary folders. The new folder is
    removed afterwards. If `data` is given, the server begins with a copy of this data folder, whose own server must
    have ended.
    """
    home = open_folder(disk)
    try:
        cluster = replace(cluster_in(home), log=(folder or home) / "postgres.log")
        if data is not None:
            # `cp` keeps the owner, because PostgreSQL does not run as root.
            copying = await asyncio.create_subprocess_exec("cp", "-a", data, cluster.data)
            assert await copying.wait() == 0
        await prepare(cluster)
        port = free_port()
        async with running(cluster.spec(port, settings)) as service:
            yield service, cluster.url(port)
    finally:
        shutil.rmtree(home)


@contextlib.asynccontextmanager
async def postgres_server(folder: Path | None = None) -> AsyncIterator[str]:
    """Yield the URL of a new, empty PostgreSQL server (superuser, database `postgres`)."""
    async with postgres_service(folder) as (_, url):
        yield url


@contextlib.asynccontextmanager
async def nats_service(
    folder: Path | None = None, *, port: int | None = None, auth: str = "off"
) -> AsyncIterator[tuple[Service, str]]:
    """Yield a NATS server with JetStream, and its URL with the owner's login, which has all rights. The server is
    configured for the value `auth` of LLMBENCH_AUTH.

    Use the same `folder` and `port` again to restart a server with its data.
    """
    home = folder or open_folder()
    server = Nats(
        program=script("nats-server"),
        config=checkout() / "deploy" / CONFIGS[auth],
        store=nats_store(home),
        passwords=dict.fromkeys(LOGINS, "only-for-tests"),
        log=home / "nats.log",
    )
    chosen = port or free_port()
    try:
        async with running(server.spec(chosen)) as service:
            yield service, server.url(chosen)
    finally:
        if folder is None:
            shutil.rmtree(home)


@contextlib.asynccontextmanager
async def nats_server(folder: Path | None = None, *, port: int | None = None) -> AsyncIterator[str]:
    """Yield the URL of a NATS server with JetStream, with the owner's login, which has all rights."""
    async with nats_service(folder, port=port) as (_, url):
        yield url


def nats_store(folder: Path) -> Path:
    """Return the folder in which the server stores its streams."""
    return folder / "nats"
