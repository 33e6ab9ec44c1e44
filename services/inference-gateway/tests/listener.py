"""Define a server for tests that records requests and always gives the same answer."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator

LOOPBACK = "127.0.0.1"


class Listener:
    """A server that answers each request with `head` (a status and headers) and the body `[]`, then closes the
    connection."""

    def __init__(self, head: str = "200 OK") -> None:
        self._head = head.encode("latin-1")
        self.port = 0
        self.sent: list[bytes] = []

    @contextlib.asynccontextmanager
    async def running(self, tls: ssl.SSLContext | None = None) -> AsyncIterator["Listener"]:
        server = await asyncio.start_server(self._answer, LOOPBACK, 0, ssl=tls)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.sent.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 " + self._head + b"\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]")
        await writer.drain()
        writer.close()

    def header(self, name: str, number: int = -1) -> list[str]:
        """Return all values of the header `name`, which must be in lower case. `number` is the index of the request, by
        default the last one."""
        lines = self.sent[number].decode().split("\r\n")[1:]
        pairs = (line.partition(": ") for line in lines)
        return [value for found, _, value in pairs if found.lower() == name]
