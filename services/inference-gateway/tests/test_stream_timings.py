"""Test the timings of a stream with a clock that the server controls, independently of the machine's load."""

import asyncio
import json
from datetime import UTC, datetime

from listener import LOOPBACK

from inference_gateway.adapters.http_client import ProviderClient
from inference_gateway.adapters.http_provider import HttpModelProvider
from inference_gateway.domain.classify import RequestFacts, classify
from inference_gateway.domain.http_call import HttpCall, Streaming
from llmbench.contracts.outcome import Answered, Timings

USAGE = b'data: {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 13}}\n\n'
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


class Clock:
    """A clock that moves only when a test moves it. A test can wait until the clock was read."""

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


async def test_timings_of_an_answer_follow_the_arrival_of_its_pieces() -> None:
    clock = Clock()

    async def stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HEAD)
        for wait_s, piece in (
            (0.5, _event(role="assistant", content="")),
            (0.25, _event(reasoning_content="Let me see.")),
            (1.0, _event(content="It is")),
            (2.0, _event(content=" 42.")),
            (4.0, USAGE + b"data: [DONE]\n\n"),
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

    outcome = classify(exchange, RequestFacts(url=call.url, model="m", prompt_characters=20, now=datetime.now(UTC)))
    assert isinstance(outcome, Answered)
    assert outcome.preview == "It is 42."
    # Thirteen tokens arrive from 0.75 to 3.75 s. The first one starts the clock, so 12 tokens in 3 s.
    assert outcome.timings == Timings(
        total_ms=7750, first_token_ms=750, first_content_ms=1750, tokens_per_second=12 / 3
    )
