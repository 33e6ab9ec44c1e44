"""Simulate many browsers on one gateway; each subscribes to the four topics of a run.

Most browsers only count their messages. A few also read each message and record its age. The browsers of the option
`--deaf` read nothing. This program prints `ready` when all have subscribed. It then reads the number of expected
messages from stdin, waits for them for up to 60 s, and prints one JSON object.
"""

import argparse
import asyncio
import json
import sys
import time
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlsplit

from benchmarks.client_process import READY

_TOPICS = ("status", "progress", "item", "log")
_MESSAGE = b"\nmessage-id:"
_CONNECTED = b"CONNECTED"
_RECEIPT = b"\nreceipt-id:"
_PATIENCE_S = 60.0
_AT_ONCE = 50


@dataclass
class Seen:
    """The measurements of the watching browsers. `counts` has the number of messages of each browser that reads.
    `ages_ms` has the ages of messages in milliseconds, from the browsers that record them. `closed` counts closed
    connections."""

    counts: list[int]
    ages_ms: list[float] = field(default_factory=list)
    closed: int = 0


class Watcher(asyncio.Protocol):
    """A browser that counts its messages. With `reads_ages`, it also records the age of each message.

    `number` is the browser's index in `Seen.counts`. If it is `None`, the browser reads nothing once it has subscribed.
    Its frames are masked with zeros, which leaves text unchanged (RFC 6455, 5.3).
    """

    def __init__(self, arguments: argparse.Namespace, seen: Seen, number: int | None, *, reads_ages: bool) -> None:
        self._arguments = arguments
        self._seen = seen
        self._number = number
        self._reads_ages = reads_ages
        self._rest = b""
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(
            f"GET /ws HTTP/1.1\r\nHost: {self._arguments.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: v12.stomp\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        if not self.open.done():
            self._shake_hands(data)
            return
        if self._number is None:
            return
        text = self._rest + data
        # A message that the network cuts in two counts once, with its second half.
        end = text.rfind(b"\0") + 1 if self._reads_ages else max(0, len(text) - len(_MESSAGE) + 1)
        self._seen.counts[self._number] += text.count(_MESSAGE, 0, end if self._reads_ages else None)
        if self._reads_ages:
            self._note_ages(text[:end])
        self._rest = text[end:]

    def connection_lost(self, exc: Exception | None) -> None:
        self._seen.closed += 1
        if not self.open.done():
            self.open.set_exception(exc or ConnectionError(f"refused: {self._rest[:500].decode(errors='replace')}"))

    def _shake_hands(self, data: bytes) -> None:
        self._rest += data
        if self._rest.endswith(b"\r\n\r\n"):
            self._send("CONNECT\naccept-version:1.2\nhost:bench\nheart-beat:0,0\n\n\0")
        elif _CONNECTED in self._rest:
            self._rest = b""
            for topic in _TOPICS:
                # The subscription requests no replay, because the events of this benchmark are not stored.
                destination = f"/topic/run/{self._arguments.run}/{topic}"
                self._send(f"SUBSCRIBE\nid:{topic}\ndestination:{destination}\nreceipt:{topic}\n\n\0")
        elif self._rest.count(_RECEIPT) == len(_TOPICS):
            self._rest = b""
            self.open.set_result(None)
            if self._number is None:
                self._transport.pause_reading()

    def _note_ages(self, text: bytes) -> None:
        now = time.time()
        for part in text.split(b'"at":"')[1:]:
            at = datetime.fromisoformat(part[: part.index(b'"')].decode())
            self._seen.ages_ms.append((now - at.timestamp()) * 1000)

    def _send(self, text: str) -> None:
        payload = text.encode()
        length = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
        self._transport.write(b"\x81" + length + b"\0\0\0\0" + payload)


async def watch(arguments: argparse.Namespace) -> Seen:
    seen = Seen(counts=[0] * arguments.clients)
    gate = asyncio.Semaphore(_AT_ONCE)
    address = urlsplit(arguments.url)

    async def connect(number: int | None) -> None:
        reads_ages = number is not None and number % arguments.every == 0
        async with gate:
            _, watcher = await asyncio.get_running_loop().create_connection(
                lambda: Watcher(arguments, seen, number, reads_ages=reads_ages), address.hostname, address.port
            )
            await watcher.open

    await asyncio.gather(*map(connect, [*range(arguments.clients), *[None] * arguments.deaf]))
    sys.stdout.write(f"{READY}\n")
    sys.stdout.flush()
    expected = int(await asyncio.to_thread(sys.stdin.readline))
    until = time.monotonic() + _PATIENCE_S
    while min(seen.counts) < expected and time.monotonic() < until:  # noqa: ASYNC110  # `Watcher` signals no event
        await asyncio.sleep(0.1)
    return seen


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--host", required=True, help="the host in the browser's address bar")
    parser.add_argument("--run", required=True)
    parser.add_argument("--clients", type=int, required=True)
    parser.add_argument("--deaf", type=int, default=0, help="the number of further clients, which read nothing")
    parser.add_argument("--every", type=int, default=20, help="each client at this distance records ages")
    found = asyncio.run(watch(parser.parse_args()))
    json.dump({"counts": found.counts, "ages_ms": found.ages_ms, "closed": found.closed}, sys.stdout)
    sys.stdout.write("\n")
