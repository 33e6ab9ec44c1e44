"""When the pieces of a stream came, by a clock that its server winds: no other stall can be in the figures."""

import asyncio
import json

from listener import LOOPBACK

from inference_gateway.adapters.http_client import ProviderClient
from inference_gateway.adapters.http_provider import HttpModelProvider
from inference_gateway.domain.http_call import HttpCall, Streaming

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


class Clock:
    """Stands still until it is set, and tells when somebody has read it since."""

    def __init__(self) -> None:
        self._now_s = 100.0
        self._read = asyncio.Event()

    def __call__(self) -> float:
        self._read.set()
        return self._now_s

    def forward(self, seconds: float) -> None:
        self._now_s += seconds
        self._read.clear()

    async def read(self) -> None:
        await self._read.wait()


def _event(**delta: str) -> bytes:
    return b"data: " + json.dumps({"choices": [{"index": 0, "delta": delta}]}).encode() + b"\n\n"


async def test_first_token_first_content_and_end_are_when_their_pieces_came() -> None:
    clock = Clock()

    async def stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HEAD)
        for wait_s, piece in (
            (0.5, _event(role="assistant", content="")),
            (0.25, _event(reasoning_content="Let me see.")),
            (1.0, _event(content="It is")),
            (2.0, _event(content=" 42.")),
            (4.0, b"data: [DONE]\n\n"),
        ):
            clock.forward(wait_s)
            writer.write(piece)
            await clock.read()
        writer.close()

    server = await asyncio.start_server(stream, LOOPBACK, 0)
    async with server, ProviderClient() as client:
        port = server.sockets[0].getsockname()[1]
        call = HttpCall(f"http://{LOOPBACK}:{port}/v1/chat/completions", {}, streaming=Streaming.ON)
        exchange = await HttpModelProvider(client, clock).complete(call, {})

    draft = exchange.draft
    assert draft is not None
    assert (draft.reasoning, draft.content) == (["Let me see."], ["It is", " 42."])
    assert (draft.first_token_s, draft.first_content_s, draft.last_token_s) == (0.75, 1.75, 3.75)
    assert exchange.total_s == 7.75
