"""A web server for tests that receives webhooks and replies with configured responses."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class ReceivedRequest:
    """A request that the receiver has received."""

    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """A running receiver of webhooks, with the requests that it has received."""

    url: str
    answers: list[str] = field(default_factory=list)
    """The status lines of the next responses, in order. When none is left, the response is 204."""
    requests: list[ReceivedRequest] = field(default_factory=list)
    arrived: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def until(self, count: int) -> None:
        async with asyncio.timeout(90), self.arrived:
            await self.arrived.wait_for(lambda: len(self.requests) >= count)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = [line.partition(":") for line in head.split("\r\n")[1:] if line]
        headers = {name.lower(): value.strip() for name, _, value in lines}
        body = await reader.readexactly(int(headers["content-length"]))
        status = self.answers.pop(0) if self.answers else "204 No Content"
        writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        writer.close()
        async with self.arrived:
            self.requests.append(ReceivedRequest(headers, body))
            self.arrived.notify_all()


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    receiver = Receiver("")
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0)
    receiver.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/hook"
    async with server:
        yield receiver
