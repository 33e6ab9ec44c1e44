"""Real servers for tests, started by the same code as `llmbench up`.

    async with postgres_server(folder) as url: ...
    async with nats_server(folder) as url: ...

PostgreSQL runs without fsync here: tests kill processes, not machines. Logs go to files in the
folder, so a server needs no running event loop to stay healthy.
"""

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from llmbench_cli.embedded.binaries import checkout, script
from llmbench_cli.embedded.nats import LOGINS, Nats
from llmbench_cli.embedded.place import place
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.postgres import Cluster, prepare
from llmbench_cli.embedded.process import ProcessSpec, end, spawn

START_TIMEOUT_S = 120.0


@contextlib.asynccontextmanager
async def running(spec: ProcessSpec) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a program until the block is left; entered once the program is ready."""
    process = await spawn(spec)
    ready = asyncio.ensure_future(spec.ready())
    ended = asyncio.ensure_future(process.wait())
    try:
        await asyncio.wait({ready, ended}, timeout=START_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED)
        assert ready.done(), f"{spec.name} did not start: {spec.log.read_text()[-2000:]}"
        ready.result()
        yield process
    finally:
        ready.cancel()
        ended.cancel()
        await end(process, spec)


def open_folder() -> Path:
    """Return a new folder that every user of this machine can enter; the caller removes it."""
    folder = Path(tempfile.mkdtemp(prefix="llmbench-test-"))
    folder.chmod(0o755)
    return folder


@contextlib.asynccontextmanager
async def postgres_server(folder: Path | None = None, *, as_shipped: bool = False) -> AsyncIterator[str]:
    """Yield the URL of a fresh, empty server (superuser, database `postgres`).

    `as_shipped`: with the durability of `llmbench up`. `folder` keeps the log; the data lies in a folder of
    its own that an unprivileged user can enter, which pytest's temporary folders are not, and is gone afterwards.
    """
    home = open_folder()
    try:
        where = place(home / "postgres")
        cluster = Cluster(
            programs=where.programs,
            data=where.data,
            account=where.account,
            password="only-for-tests",
            log=(folder or home) / "postgres.log",
        )
        await prepare(cluster)
        port = free_port()
        fast = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
        async with running(cluster.spec(port, {} if as_shipped else fast)):
            yield cluster.url(port)
    finally:
        shutil.rmtree(home)


@contextlib.asynccontextmanager
async def nats_server(folder: Path | None = None, *, port: int | None = None) -> AsyncIterator[str]:
    """Yield the URL of a NATS server with JetStream, logged in as its owner, who may do everything.

    Give the same `folder` and `port` again to bring a server back with what it stored.
    """
    home = folder or open_folder()
    server = Nats(
        program=script("nats-server"),
        config=checkout() / "deploy" / "nats.conf",
        store=home / "nats",
        passwords=dict.fromkeys(LOGINS, "only-for-tests"),
        log=home / "nats.log",
    )
    chosen = port or free_port()
    try:
        async with running(server.spec(chosen)):
            yield server.url(chosen)
    finally:
        if folder is None:
            shutil.rmtree(home)
