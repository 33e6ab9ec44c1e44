"""Read the rows of a backup as data: its content is never executed as SQL.

`pg_restore` converts PostgreSQL's own format to a script. Only the data of tables and the values of sequences are taken
from it; a backup with any other statement is refused. Because the file is untrusted, `pg_restore` gets a clean
environment and little memory, and may write no file. Under root it runs as PostgreSQL's account.
"""

import asyncio
import contextlib
import os
import re
import resource
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from llmbench_cli.embedded.accounts import account_for_postgres, as_account
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.place import programs_for

MAX_GROWTH: Final = 200
"""The largest allowed ratio of unpacked to packed size. Repetitive text compresses about 100:1, a compression bomb
1000:1."""
_GROWS_ANYWAY_BYTES: Final = 4 * 1024**3
_BLOCK_BYTES: Final = 1024 * 1024
_MAX_LINE_BYTES: Final = 1024**3
_MEMORY_BYTES: Final = 2 * 1024**3
_NAME: Final = r'(?:"[^"\n]{1,63}"|[a-z_][a-z0-9_]{0,62})'
_COPY: Final = re.compile(rf"COPY public\.({_NAME}) \(({_NAME}(?:, {_NAME})*)\) FROM stdin;")
_SETVAL: Final = re.compile(rf"SELECT pg_catalog\.setval\('public\.({_NAME})', (\d{{1,19}}), (true|false)\);")
_NOTHING: Final = re.compile(
    r"|--.*|SET [a-z_]+ = [^;]*;|SELECT pg_catalog\.set_config\('search_path', '', false\);"
    r"|\\(?:un)?restrict [A-Za-z0-9]+"
)
_KINDS: Final = frozenset(
    {
        *("TABLE", "TABLE DATA", "CONSTRAINT", "CHECK CONSTRAINT", "FK CONSTRAINT", "INDEX", "DEFAULT"),
        *("SEQUENCE", "SEQUENCE OWNED BY", "SEQUENCE SET", "SCHEMA", "EXTENSION", "COMMENT"),
    }
)
"""The kinds of entries in our backups. Only data is read from them: the schema comes from our migrations."""
_ENTRY: Final = re.compile(r"\d+; \d+ \d+ ([A-Z][A-Z ]*[A-Z]) (?:public|-) .*")


@dataclass(frozen=True)
class TableData:
    """The rows of one table. `blocks` yields them in the text format of COPY. Blocks that are not read are skipped when
    `Script.entries` yields the next table or sequence."""

    table: str
    columns: tuple[str, ...]
    blocks: AsyncIterator[bytes]


@dataclass(frozen=True)
class SequencePlace:
    """The state of a sequence. If `is_called` is True, `value` was already used, and the sequence continues with the
    next value."""

    sequence: str
    value: int
    is_called: bool


class Script:
    """Parse the output of `pg_restore`, and refuse anything but the data of tables and the states of sequences."""

    def __init__(self, reader: asyncio.StreamReader, *, most_bytes: int, name: Path) -> None:
        self._reader = reader
        self._buffer = bytearray()
        self._left = most_bytes
        self._name = name

    async def entries(self) -> AsyncIterator[TableData | SequencePlace]:
        """Yield the data of tables and the states of sequences, in their order. Raises StartError for any other
        statement, and for output that is cut off or too large."""
        while (line := await self._line()) is not None:
            if copy := _COPY.fullmatch(line):
                columns = tuple(_plain(name) for name in re.findall(_NAME, copy[2]))
                blocks = self._blocks()
                yield TableData(_plain(copy[1]), columns, blocks)
                async for _ in blocks:
                    pass
            elif place := _SETVAL.fullmatch(line):
                yield SequencePlace(_plain(place[1]), int(place[2]), place[3] == "true")
            elif not _NOTHING.fullmatch(line):
                raise self._refused(f"holds a statement that is in no backup of llmbench: {line[:80]!r}")

    async def _line(self) -> str | None:
        while (end := self._buffer.find(b"\n")) < 0:
            if not await self._more():
                if self._buffer:
                    raise self._refused("breaks off")
                return None
        line = self._buffer[:end].decode(errors="replace")
        del self._buffer[: end + 1]
        return line

    async def _blocks(self) -> AsyncIterator[bytes]:
        """Yield the rows of one table in blocks of complete lines, up to the end marker of the table's data."""
        while not self._buffer.startswith(b"\\.\n"):
            end = self._buffer.find(b"\n\\.\n") + 1
            complete_end = end or self._buffer.rfind(b"\n") + 1
            if complete_end:
                block = bytes(self._buffer[:complete_end])
                del self._buffer[:complete_end]
                yield block
            if not end and not await self._more():
                raise self._refused("ends in the middle of a table")
        del self._buffer[:3]

    async def _more(self) -> bool:
        block = await self._reader.read(_BLOCK_BYTES)
        self._left -= len(block)
        if self._left < 0:
            raise self._refused(
                f"unpacks to more than {MAX_GROWTH} times its size: it is damaged, or made to fill this disk"
            )
        if len(self._buffer) > _MAX_LINE_BYTES:
            raise self._refused("has a row that is larger than PostgreSQL can take")
        self._buffer += block
        return bool(block)

    def _refused(self, why: str) -> StartError:
        return StartError(f"{self._name} {why}; nothing was restored")


@asynccontextmanager
async def script(rows: Path, *arguments: str, name: Path) -> AsyncIterator[Script]:
    """Yield the parsed content of the dump `rows`. `arguments` are passed to `pg_restore`.

    Raises StartError, which names the backup `name`, for content that no backup of llmbench has.
    """
    size = (await asyncio.to_thread(rows.stat)).st_size
    most = max(_GROWS_ANYWAY_BYTES, MAX_GROWTH * size)
    async with _reading(
        rows, "--data-only", "--no-owner", "--no-privileges", "--file=-", *arguments, name=name
    ) as read:
        yield Script(read, most_bytes=most, name=name)


async def require_known_kinds(rows: Path, *, name: Path) -> None:
    """Raise StartError, which names the backup `name`, if the dump `rows` has kinds of objects that no backup of
    llmbench has, such as functions or triggers."""
    async with _reading(rows, "--list", name=name) as reader:
        while block := await reader.read(16 * _BLOCK_BYTES):
            # Limit the size: the table of contents of a genuine backup has a few kilobytes.
            listed = block
            while more := await reader.read(16 * _BLOCK_BYTES):
                listed += more
                if len(listed) > 16 * _BLOCK_BYTES:
                    raise StartError(f"{name} lists more contents than a backup of llmbench has; nothing was restored")
            _require_known(listed.decode(errors="replace"), name)


def _require_known(listed: str, name: Path) -> None:
    for line in listed.splitlines():
        if not line or line.startswith(";"):
            continue
        entry = _ENTRY.fullmatch(line)
        if entry is None or entry[1] not in _KINDS:
            raise StartError(
                f"{name} holds what no backup of llmbench has ({line.partition(' ')[2][:80]!r}): somebody else made or "
                "changed it; nothing was restored"
            )


@asynccontextmanager
async def _reading(rows: Path, *arguments: str, name: Path) -> AsyncIterator[asyncio.StreamReader]:
    account = account_for_postgres()
    program = programs_for(account) / "pg_restore"
    with rows.open("rb") as content:
        process = await asyncio.create_subprocess_exec(
            str(program),
            *arguments,
            stdin=content,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd="/",
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
            preexec_fn=_limit,
            **as_account(account),
        )
    assert process.stdout is not None
    assert process.stderr is not None
    errors = asyncio.ensure_future(_first_bytes(process.stderr))
    try:
        yield process.stdout
        if await process.wait() != 0:
            messages = (await errors).decode(errors="replace").strip().splitlines()
            reason = messages[0].removeprefix("pg_restore: ").removeprefix("error: ") if messages else "it is damaged"
            raise StartError(f"{name} is no backup of llmbench: {reason}; nothing was restored")
    finally:
        # Kill by pid: asyncio's `kill` polls the process, and may thereby take the exit status from asyncio's watcher.
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
            # Unread output would keep the pipe open, and asyncio waits for the pipes.
            while await process.stdout.read(_BLOCK_BYTES):
                pass
            await process.wait()
        errors.cancel()


async def _first_bytes(reader: asyncio.StreamReader) -> bytes:
    """Read the stream to its end, so that `pg_restore` is never blocked by a full pipe. Return at most its first 4,096
    bytes."""
    kept = b""
    while block := await reader.read(_BLOCK_BYTES):
        kept = (kept + block)[:4096]
    return kept


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _plain(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name
