"""Encrypt every stored secret with a new master key, in steps that survive an interruption.

1. The new key is on disk, and flushed, before anything depends on it.
2. The database is encrypted again in one transaction (`llmbench.db.sealed.reseal`).
3. Only then the home's key is replaced.

If the key comes from LLMBENCH_MASTER_KEY, step 3 is left to the user, who changes this variable. If the process is
killed between steps 2 and 3, both keys exist. The next rotation finds that the new key decrypts the stored secrets, and
finishes. The platform must be stopped: an embedded PostgreSQL is started alone.
"""

import os
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
from sqlalchemy.exc import SQLAlchemyError

from llmbench.db.sealed import Resealed, reseal
from llmbench.db.secrets import SecretBox
from llmbench.errors import LlmbenchError
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.home import Home
from llmbench_cli.embedded.keeper import Keeper, Reporter
from llmbench_cli.embedded.leftovers import end_leftovers
from llmbench_cli.embedded.place import place
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.postgres import Cluster, prepare
from llmbench_cli.embedded.stack import DATABASE
from llmbench_cli.running import home_of
from llmbench_cli.settings import CliSettings


@dataclass(frozen=True)
class Rotated:
    """The result of a rotation. `resealed` says how many secrets were encrypted again, and which were deleted.
    `key_file` has the new key. `of_home` says whether that file is the home's `master.key`."""

    resealed: Resealed
    key_file: Path
    of_home: bool


async def rotate(settings: CliSettings, report: Reporter, *, new_key_file: Path | None, forget_locked: bool) -> Rotated:
    """Rotate the master key. The new key is read from `new_key_file`; if that file does not exist, it is created with a
    random key.

    If `new_key_file` is None, the home gets a new random key. The file is required if the key comes from
    LLMBENCH_MASTER_KEY. With `forget_locked`, secrets that the old key cannot decrypt are removed. Raises StartError if
    the rotation is not possible.
    """
    home = home_of(settings)
    of_home = settings.master_key is None
    async with AsyncExitStack() as stack:
        if of_home or not settings.database_url:
            if not home.root.is_dir():
                raise StartError(f"there is no {home.root}: no secret was ever stored there")
            stack.enter_context(home.held())
        current = home.root / "master.key"
        next_key = home.root / "master.key.next"
        old_key = settings.master_key or read_key(current)
        if of_home and new_key_file and next_key.exists():
            raise StartError(
                f"an earlier rotation was interrupted ({next_key}): finish it first, without --new-key-file"
            )
        source = new_key_file or (next_key if of_home else None)
        if source is None:
            raise StartError("the key comes from LLMBENCH_MASTER_KEY: name the file with the new one by --new-key-file")
        new_key = read_or_create_key(source)
        if new_key == old_key:
            raise StartError(f"the key in {source} is the one in use: nothing to rotate")
        if of_home and source != next_key:
            write_key(next_key, new_key)
        url = await stack.enter_async_context(_database(settings, home, report))
        try:
            resealed = await reseal(url, SecretBox(old_key), SecretBox(new_key), forget_locked=forget_locked)
        except (OSError, SQLAlchemyError, asyncpg.PostgresError) as away:
            raise StartError(f"the database cannot be used: {away}") from away
        except LlmbenchError as refused:
            raise StartError(str(refused)) from refused
        if of_home:
            next_key.replace(current)
            _flush(current.parent)
    return Rotated(resealed, current if of_home else source, of_home)


def read_or_create_key(path: Path) -> str:
    """Return the key in that file. If the file is missing, create it with a new key, readable only by its owner. Raises
    StartError if the file cannot be read or written, or has no valid key."""
    if not path.exists():
        write_key(path, secrets.token_urlsafe(32))
    return read_key(path)


def read_key(path: Path) -> str:
    """Return the key in the file. Raises StartError if the file cannot be read or has no valid key."""
    try:
        key = path.read_text().strip()
    except OSError as refused:
        raise StartError(f"there is no key in {path}: {refused.strerror}") from refused
    except UnicodeDecodeError as wrong:
        raise StartError(f"{path} is no key file: it is not text") from wrong
    try:
        SecretBox(key)
    except LlmbenchError as wrong:
        raise StartError(f"{path}: {wrong}") from wrong
    return key


def write_key(path: Path, key: str) -> None:
    """Write the key to a file that only its owner may read. After an error or a power cut, the file has the complete
    new key or is unchanged. Raises StartError if the file cannot be written."""
    staging = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(staging, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(descriptor, "w") as file:
            file.write(key + "\n")
            file.flush()
            os.fsync(file.fileno())
        staging.replace(path)
    except OSError as refused:
        raise StartError(f"{path} cannot be written: {refused.strerror}") from refused
    _flush(path.parent)


def _flush(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@asynccontextmanager
async def _database(settings: CliSettings, home: Home, report: Reporter) -> AsyncIterator[str]:
    if settings.database_url:
        yield settings.database_url
        return
    folder = home.root / "postgres"
    if not folder.exists():
        raise StartError(f"there is no database in {home.root}: no secret was ever stored there")
    if runtime := home.runtime():
        end_leftovers(runtime)
    where = place(folder)
    cluster = Cluster(
        programs=where.programs,
        data=where.data,
        account=where.account,
        password=home.password("postgres"),
        log=home.log("postgres"),
    )
    await prepare(cluster)
    port = free_port()
    keeper = Keeper(cluster.spec(port), report=report, changed=lambda: None)
    await keeper.start()
    try:
        yield cluster.url(port, DATABASE)
    finally:
        await keeper.stop()
