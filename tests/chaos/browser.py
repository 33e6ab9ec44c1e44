"""Watch a run as the web application does, by a STOMP client at the edge.

The client reconnects after each disconnection, requests the missed events by `run_seq`, and assembles the page's
content.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from stompman.frames import ConnectedFrame, ConnectFrame, ErrorFrame, MessageFrame, SubscribeFrame
from stompman.serde import FrameParser, dump_frame
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin, Subprotocol

TYPES = {
    "llmbench.run.status_changed.v1": "status",
    "llmbench.run.progressed.v1": "progress",
    "llmbench.run.item_changed.v1": "item",
    "llmbench.run.logged.v1": "log",
}
KINDS = tuple(TYPES.values())
_AGAIN_S = 0.2
_OPEN_TIMEOUT_S = 10.0


@dataclass
class View:
    """The content of the page of a run, as far as events have arrived. `seqs` lists the `run_seq` of the accepted
    events, by kind and in order of arrival."""

    seqs: dict[str, list[int]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    status: dict[str, Any] = field(default_factory=dict)
    progress: dict[str, Any] = field(default_factory=dict)
    answers: int = 0
    verdicts: int = 0
    connections: int = 0

    def next_seq(self, kind: str) -> int:
        return max(self.seqs[kind], default=0) + 1

    def take(self, kind: str, event: dict[str, Any]) -> None:
        """Apply an event to the page. Like every subscriber, ignore the event if its `run_seq` is not new."""
        seq = event["run_seq"]
        if seq < self.next_seq(kind):
            return
        self.seqs[kind].append(seq)
        match kind:
            case "item":
                self.items[event["item"]["id"]] = event["item"]
            case "status":
                self.status = event
            case "progress":
                self.progress = event
            case _:
                self.answers += event.get("kind") == "answer"
                self.verdicts += event.get("kind") == "verdict"


def kind_of(event_type: str) -> str:
    """Return the last word of the topic on which events of this type are published."""
    return TYPES[event_type]


@contextlib.asynccontextmanager
async def watching(url: str, run_id: str, draw: Random) -> AsyncIterator[View]:
    """Yield the view of a client that watches the run until the block is left. The client disconnects at random times,
    as users do."""
    view = View()
    task = asyncio.create_task(_watch(url, run_id, view, draw))
    try:
        yield view
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _watch(url: str, run_id: str, view: View, draw: Random) -> None:
    while True:
        with contextlib.suppress(OSError, TimeoutError, WebSocketException):
            async with connect(
                url.replace("http", "ws", 1) + "/ws",
                origin=Origin(url),
                subprotocols=[Subprotocol("v12.stomp")],
                max_size=None,
                compression=None,
                open_timeout=_OPEN_TIMEOUT_S,
                ping_interval=5,
                ping_timeout=5,
                close_timeout=1,
            ) as socket:
                view.connections += 1
                await _read(socket, run_id, view, stays_for=draw.randint(5, 60))
        await asyncio.sleep(_AGAIN_S)


async def _read(socket: ClientConnection, run_id: str, view: View, *, stays_for: int) -> None:
    """Apply messages from the socket to `view`, until `stays_for` messages or an ERROR frame have arrived."""
    parser = FrameParser()
    await socket.send(
        dump_frame(ConnectFrame(headers={"accept-version": "1.2", "host": "127.0.0.1", "heart-beat": "0,0"}))
    )
    async for raw in socket:
        for frame in parser.parse_frames_from_chunk(raw.encode() if isinstance(raw, str) else raw):
            match frame:
                case ConnectedFrame():
                    for kind in KINDS:
                        await socket.send(_subscription(run_id, kind, view.next_seq(kind)))
                case MessageFrame():
                    view.take(frame.headers["subscription"], json.loads(frame.body))
                    stays_for -= 1
                case ErrorFrame():
                    return
                case _:
                    pass
        if stays_for <= 0:
            return


def _subscription(run_id: str, kind: str, from_seq: int) -> bytes:
    frame = SubscribeFrame.build(
        subscription_id=kind,
        destination=f"/topic/run/{run_id}/{kind}",
        ack="auto",
        headers={"from-seq": str(from_seq)},
    )
    return dump_frame(frame)
