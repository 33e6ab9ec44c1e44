"""Provide a real broker, the real gateway on a real port, and a STOMP client for the tests.

A fake orchestrator of a few lines stores runs' events as PostgreSQL would.
"""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar, cast
from uuid import UUID

import nats
import uvicorn
from nats.aio.client import Client
from nats.aio.msg import Msg
from stompman.frames import (
    AnyClientFrame,
    AnyServerFrame,
    ConnectedFrame,
    ConnectFrame,
    ErrorFrame,
    HeartbeatFrame,
    MessageFrame,
    ReceiptFrame,
    SubscribeFrame,
)
from stompman.serde import FrameParser, dump_frame
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from gateway_ws.main import Settings, create_app
from llmbench.contracts.read_run_events import ReadRunEvents
from llmbench.messaging.fence import fence
from llmbench.messaging.streams import ensure_streams

F = TypeVar("F", bound=AnyServerFrame)

TIMEOUT_S = 240.0
ORIGIN = "http://127.0.0.1:8400"
TYPES = {
    "status": "llmbench.run.status_changed.v1",
    "progress": "llmbench.run.progressed.v1",
    "item": "llmbench.run.item_changed.v1",
    "log": "llmbench.run.logged.v1",
}


async def until(condition: Callable[[], bool], timeout_s: float = TIMEOUT_S) -> None:
    async with asyncio.timeout(timeout_s):
        while not condition():  # poll, because a condition has no event to wait for
            await asyncio.sleep(0.01)


@dataclass
class Orchestrator:
    """A fake orchestrator. It answers requests for the events in `stored` while `answering` is true. `questions` are
    the requests that it has received. Its methods store and publish events."""

    url: str
    stored: dict[UUID, list[tuple[str, dict[str, Any]]]] = field(default_factory=dict)
    questions: list[ReadRunEvents] = field(default_factory=list)
    answering: bool = True
    nats: Client = field(init=False)

    async def __aenter__(self) -> Self:
        self.nats = await nats.connect(self.url, max_reconnect_attempts=-1, reconnect_time_wait=0.05)
        await ensure_streams(self.nats.jetstream())
        await self.nats.subscribe(ReadRunEvents.SUBJECT, cb=self._answer)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.nats.close()

    def store(self, run_id: UUID, kind: str, **fields: Any) -> dict[str, Any]:
        events = self.stored.setdefault(run_id, [])
        body = {"type": TYPES[kind], "run_id": str(run_id), "run_seq": len(events) + 1, **fields}
        events.append((kind, body))
        return body

    async def publish(self, run_id: UUID, seq: int) -> None:
        kind, body = self.stored[run_id][seq - 1]
        await self.nats.publish(f"evt.run.{run_id}.{kind}", json.dumps(body).encode())

    async def store_and_publish(self, run_id: UUID, kind: str, **fields: Any) -> int:
        """Store and publish an event. Return the event's number in the run."""
        seq: int = self.store(run_id, kind, **fields)["run_seq"]
        await self.publish(run_id, seq)
        return seq

    async def flush(self) -> None:
        await fence(self.nats)

    async def _answer(self, message: Msg) -> None:
        question = ReadRunEvents.model_validate_json(message.data)
        self.questions.append(question)
        if not self.answering:
            return
        events = [body for _, body in self.stored.get(question.run_id, [])]
        page = [body for body in events if body["run_seq"] >= question.from_seq][: question.limit]
        answer = {
            "found": question.run_id in self.stored,
            "events": page,
            "next_seq": page[-1]["run_seq"] + 1 if page else question.from_seq,
            "last_seq": len(events),
        }
        await message.respond(json.dumps(answer).encode())


class StompClient:
    """A STOMP client. `frames` are all frames that it has received and parsed."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[AnyServerFrame] = []
        self.websocket_messages = 0
        self._parser = FrameParser()
        self._reading = asyncio.create_task(self._read())

    async def send(self, frame: AnyClientFrame | bytes | str) -> None:
        await self.socket.send(frame if isinstance(frame, bytes | str) else dump_frame(frame))

    async def connect(self, heartbeat: str = "0,0") -> ConnectedFrame:
        await self.send(ConnectFrame(headers={"accept-version": "1.2", "host": "127.0.0.1", "heart-beat": heartbeat}))
        await until(lambda: bool(self.frames_of(ConnectedFrame)))
        return self.frames_of(ConnectedFrame)[0]

    async def subscribe(self, id_: str, destination: str, **headers: str) -> None:
        """Subscribe, and return once the server has confirmed the subscription."""
        receipt = f"receipt-{id_}"
        extra = {name.replace("_", "-"): value for name, value in headers.items()}
        await self.send(
            SubscribeFrame.build(
                subscription_id=id_, destination=destination, ack="auto", headers={"receipt": receipt, **extra}
            )
        )
        await until(lambda: receipt in [frame.headers["receipt-id"] for frame in self.frames_of(ReceiptFrame)])

    def frames_of(self, type_: type[F]) -> list[F]:
        return [frame for frame in self.frames if isinstance(frame, type_)]

    def seqs(self, subscription: str) -> list[int]:
        return [
            int(frame.headers["message-id"])
            for frame in self.frames_of(MessageFrame)
            if frame.headers["subscription"] == subscription
        ]

    async def error(self) -> ErrorFrame:
        """Wait until the connection is closed, and return the server's last ERROR frame."""
        await until(lambda: self._reading.done())
        return self.frames_of(ErrorFrame)[-1]

    def stop_reading(self) -> None:
        """Stop reading: further frames fill the network's buffers, then the gateway's backlog."""
        self._reading.cancel()
        self.socket.transport.pause_reading()

    def go_on_reading(self) -> None:
        self.socket.transport.resume_reading()
        self._reading = asyncio.create_task(self._read())

    def read_to_the_end(self) -> None:
        """Read until the server closes the connection, and parse afterwards: a slow reader would be disconnected."""
        self.socket.transport.resume_reading()
        self._reading = asyncio.create_task(self._read_to_the_end())

    async def _read_to_the_end(self) -> None:
        received: list[bytes] = []
        with contextlib.suppress(ConnectionClosed):
            async for message in self.socket:
                received.append(message.encode() if isinstance(message, str) else message)
        for raw in received:
            self.frames += cast("Iterator[AnyServerFrame]", self._parser.parse_frames_from_chunk(raw))

    async def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for message in self.socket:
                self.websocket_messages += 1
                raw = message.encode() if isinstance(message, str) else message
                self.frames += cast("Iterator[AnyServerFrame]", self._parser.parse_frames_from_chunk(raw))

    def heartbeats(self) -> int:
        return len(self.frames_of(HeartbeatFrame))


@dataclass
class Gateway:
    """A running gateway; `open` connects a client to its port on loopback."""

    port: int

    @contextlib.asynccontextmanager
    async def open(
        self, *, origin: str | None = ORIGIN, subprotocols: tuple[str, ...] = ("v12.stomp",)
    ) -> AsyncIterator[StompClient]:
        """Open a WebSocket, and yield a client that has not sent CONNECT yet."""
        wire = socket.socket()
        # A small receive buffer: the gateway soon notices a client that stops reading.
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
        wire.connect(("127.0.0.1", self.port))
        wire.setblocking(False)
        async with connect(
            f"ws://127.0.0.1:{self.port}/ws",
            sock=wire,
            origin=Origin(origin) if origin else None,
            subprotocols=[Subprotocol(name) for name in subprotocols],
            max_size=None,
            compression=None,
            # Send no pings: a client that stops reading answers none, and would be disconnected on a busy machine.
            ping_interval=None,
        ) as opened:
            client = StompClient(opened)
            try:
                yield client
            finally:
                client._reading.cancel()

    @contextlib.asynccontextmanager
    async def client(self) -> AsyncIterator[StompClient]:
        """Yield a connected client."""
        async with self.open() as client:
            await client.connect()
            yield client


@contextlib.asynccontextmanager
async def running_gateway(url: str, **settings: Any) -> AsyncIterator[Gateway]:
    """Run the gateway on a free port of loopback, connected to the broker at `url`."""
    app = create_app(Settings(nats_url=url, **{"batch_ms": 20, "replay_timeout_s": 20, **settings}))
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            ws="websockets-sansio",
            ws_max_size=64 * 1024,
            ws_per_message_deflate=False,
            ws_ping_interval=None,
            log_config=None,
        )
    )
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        await until(lambda: server.started or serving.done())
        yield Gateway(port=listening.getsockname()[1])
    finally:
        server.should_exit = True
        await serving
        listening.close()
