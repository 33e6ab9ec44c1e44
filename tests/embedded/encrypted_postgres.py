"""Put a proxy with encryption in front of a PostgreSQL server, because the server in the wheel is built without
encryption.

The proxy answers the client's request for encryption with `S`, as PostgreSQL's protocol requires, and then makes the
TLS handshake. Afterwards it passes on all bytes.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from tests.embedded.certificates import Pair

_ENCRYPT = b"\x00\x00\x00\x08\x04\xd2\x16\x2f"


@dataclass
class Front:
    """A running proxy with encryption, at `url`. `clients` has one name for each encrypted connection: that in the
    client's certificate. `plain` counts the connections that requested no encryption."""

    url: str = ""
    clients: list[str] = field(default_factory=list)
    plain: int = 0


@contextlib.asynccontextmanager
async def encrypted(behind: str, server: Pair, authority: Path) -> AsyncIterator[Front]:
    """Run a proxy for the PostgreSQL server at the URL `behind`. The proxy uses the certificate `server`, and accepts
    only clients with a certificate of `authority`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(server.cert, server.key)
    context.load_verify_locations(authority)
    context.verify_mode = ssl.CERT_REQUIRED
    context.set_alpn_protocols(["postgresql"])
    front, there, tasks = Front(), urlsplit(behind), set[asyncio.Task[None]]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            try:
                if await reader.readexactly(len(_ENCRYPT)) != _ENCRYPT:
                    front.plain += 1
                    return
                writer.write(b"S")
                await writer.drain()
                await writer.start_tls(context)
                subject = dict(pair for [pair] in writer.get_extra_info("peercert")["subject"])
                front.clients.append(subject["commonName"])
                await _pass_on(reader, writer, there.hostname or "", there.port or 0)
            finally:
                writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        front.url = there._replace(netloc=f"{there.username}:{there.password}@127.0.0.1:{port}").geturl()
        try:
            yield front
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, port: int) -> None:
    back, forth = await asyncio.open_connection(host, port)

    async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65_536):
            target.write(data)
            await target.drain()

    ways = [asyncio.create_task(pump(reader, forth)), asyncio.create_task(pump(back, writer))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        forth.close()
