"""Define a STOMP client that subscribes to topics of the WebSocket with the headers of a given caller."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.security.access_world import Headers, World

PATIENCE_S = 90.0


@dataclass
class Listener:
    """A STOMP client. `heard` has the received MESSAGE frames by subscription, and `receipts` the confirmed
    subscriptions."""

    socket: ClientConnection
    heard: dict[str, list[str]] = field(default_factory=dict)
    receipts: list[str] = field(default_factory=list)

    async def subscribe(self, id_: str, destination: str, *more: str) -> None:
        """Subscribe, and wait until the gateway has confirmed it."""
        lines = ("SUBSCRIBE", f"id:{id_}", f"destination:{destination}", f"receipt:{id_}", *more)
        await self.socket.send("\n".join(lines) + "\n\n\0")
        await self.until(lambda: id_ in self.receipts)

    async def until_heard(self, id_: str, words: str = "") -> None:
        await self.until(lambda: any(words in text for text in self.heard.get(id_, ())))

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                self._take(str(await self.socket.recv()))

    def _take(self, text: str) -> None:
        for frame in filter(None, (part.lstrip("\n") for part in text.split("\0"))):
            command, *lines = frame.partition("\n\n")[0].split("\n")
            headers = dict(line.split(":", 1) for line in lines)
            assert command in ("CONNECTED", "MESSAGE", "RECEIPT", "ERROR"), frame
            if command == "RECEIPT":
                self.receipts.append(headers["receipt-id"])
            if command == "MESSAGE":
                self.heard.setdefault(headers["subscription"], []).append(frame)


@contextlib.asynccontextmanager
async def listening(world: World, headers: Headers) -> AsyncIterator[Listener]:
    """Open a WebSocket with these headers. Raises `InvalidStatus` if it is refused."""
    url = f"ws{world.stack.url.removeprefix('http')}/ws"
    async with connect(url, subprotocols=[Subprotocol("v12.stomp")], additional_headers=dict(headers)) as socket:
        await socket.send("CONNECT\naccept-version:1.2\nhost:llmbench\nheart-beat:0,0\n\n\0")
        yield Listener(socket)
