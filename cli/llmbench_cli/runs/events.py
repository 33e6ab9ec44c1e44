"""Read a run's events over the platform's WebSocket, like the browser: STOMP 1.2 on `/ws`.

Only the platform's address is needed, and with sign-in an API key, so this also works from another machine.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from stompman.frames import ConnectedFrame, ConnectFrame, ErrorFrame, MessageFrame, ReceiptFrame, SubscribeFrame
from stompman.serde import FrameParser, dump_frame
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from llmbench_cli.client import Json
from llmbench_cli.sign_in import sign_in_headers

_PATIENCE_S = 20.0


class EventsLost(Exception):
    """Raised when the connection fails or is lost. A new connection may work."""


@asynccontextmanager
async def run_events(url: str, run_id: str, *, kinds: tuple[str, ...]) -> AsyncIterator[AsyncIterator[Json]]:
    """Yield an iterator over the run's future events of these kinds, such as `status`. No event is missed while the
    connection lasts.

    Raises `EventsLost` if the connection fails, or is lost while the events are read. The WebSocket's pings detect a
    connection that ended silently.
    """
    try:
        async with connect(
            f"ws{url.removeprefix('http')}/ws",
            subprotocols=[Subprotocol("v12.stomp")],
            open_timeout=_PATIENCE_S,
            ping_timeout=_PATIENCE_S,
            max_size=None,
            additional_headers=sign_in_headers(),
            compression=None,
        ) as socket:
            frames = _frames(socket)
            await socket.send(dump_frame(ConnectFrame(headers={"accept-version": "1.2", "host": "llmbench"})))
            await _expect(frames, ConnectedFrame)
            for kind in kinds:
                await socket.send(
                    dump_frame(
                        SubscribeFrame.build(
                            subscription_id=kind,
                            destination=f"/topic/run/{run_id}/{kind}",
                            ack="auto",
                            headers={"receipt": kind},
                        )
                    )
                )
            # Drop the events before the last receipt: the caller reads the run from the API afterwards.
            for _ in kinds:
                await _expect(frames, ReceiptFrame)
            yield _bodies(frames)
    except (OSError, TimeoutError, WebSocketException) as lost:
        raise EventsLost(str(lost) or type(lost).__name__) from lost


async def _frames(socket: ClientConnection) -> AsyncIterator[Any]:
    parser = FrameParser()
    try:
        async for message in socket:
            raw = message.encode() if isinstance(message, str) else message
            for frame in parser.parse_frames_from_chunk(raw):
                if isinstance(frame, ErrorFrame):
                    raise EventsLost(str(frame.headers["message"]))
                yield frame
    except ConnectionClosed as closed:
        raise EventsLost(str(closed)) from closed
    # Treat an orderly close like a lost connection: the platform is stopping or restarting.
    raise EventsLost("the platform closed the connection")


async def _expect(frames: AsyncIterator[Any], kind: type[Any]) -> None:
    async for frame in frames:
        if isinstance(frame, kind):
            return


async def _bodies(frames: AsyncIterator[Any]) -> AsyncIterator[Json]:
    async for frame in frames:
        if isinstance(frame, MessageFrame):
            body: Json = json.loads(frame.body)
            yield body
