"""Test that memory and time are bounded for any response, however long or slow, and that the next call works."""

import asyncio
import contextlib
import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from gateway_world import World

from inference_gateway.adapters.http_client import ProviderClient
from inference_gateway.adapters.http_provider import HttpModelProvider
from inference_gateway.domain.faults import FaultKind
from inference_gateway.domain.http_call import Exchange, HttpCall
from llmbench.contracts.outcome import Answered, Malformed, TimedOut

MB = 1024 * 1024
CHUNK = b'data: {"choices": [{"delta": {"content": "' + b"x" * 8000 + b'"}}]}\n\n'
END = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'

Body = Callable[[asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def serving(body: Body, kind: str = "text/event-stream", coding: str = "identity") -> AsyncIterator[str]:
    """Run a server that answers every request by calling `body`, then closes the connection. Yields its URL."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Encoding: {coding}\r\nConnection: close\r\n\r\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(head.encode())
            await body(writer)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


def repeated(piece: bytes, total_bytes: int, end: bytes = b"") -> Body:
    async def send(writer: asyncio.StreamWriter) -> None:
        for _ in range(total_bytes // len(piece)):
            writer.write(piece)
            await writer.drain()
        writer.write(end)
        await writer.drain()

    return send


async def complete(url: str) -> Exchange:
    async with ProviderClient() as client:
        return await HttpModelProvider(client).complete(HttpCall(f"{url}/v1/chat/completions", {}), {})


async def read(url: str) -> Exchange:
    async with ProviderClient() as client:
        return await HttpModelProvider(client).read(f"{url}/v1/models", {})


@pytest.mark.parametrize(
    ("piece", "kind"),
    [
        (CHUNK, "text/event-stream"),
        (b"data: " + b"x" * 65536, "text/event-stream"),
        (b": comment\n" * 1000, "text/event-stream"),
        (b"{" * 65536, "application/x-ndjson"),
        (b" " * 65536, "application/json"),
    ],
    ids=["events", "one line without an end", "comments", "one line of JSON", "one body"],
)
@pytest.mark.shows("I-20", "S-14")
async def test_response_of_300_mb_is_refused_after_a_few_mb(piece: bytes, kind: str) -> None:
    sent = 0

    async def send(writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        while sent < 300 * MB:
            writer.write(piece)
            await writer.drain()
            sent += len(piece)

    tracemalloc.start()
    try:
        async with serving(send, kind) as url, asyncio.timeout(90):
            exchange = await complete(url)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert exchange.fault is not None
    assert exchange.fault.kind is FaultKind.TOO_LARGE
    assert sent < 32 * MB, "the rest was not even taken"
    assert peak < 64 * MB


async def test_data_after_a_compressed_answer_is_not_read() -> None:
    answer, sent = gzip.compress(CHUNK + END), 0

    async def send(writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(answer)
        while sent < 100 * MB:
            writer.write(bytes(MB))
            await writer.drain()
            sent += MB

    async with serving(send, coding="gzip") as url, asyncio.timeout(90):
        exchange = await complete(url)
    assert exchange.fault is None
    assert exchange.draft is not None
    assert exchange.draft.content == ["x" * 8000]
    assert sent < 32 * MB


def _packed_zeros(megabytes: int) -> bytes:
    packing = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return b"".join(packing.compress(bytes(MB)) for _ in range(megabytes)) + packing.flush()


@pytest.mark.parametrize(
    ("coding", "layers", "kind"),
    [
        ("gzip", 1, FaultKind.TOO_LARGE),
        ("gzip, gzip", 2, FaultKind.NO_COMPLETION),
        ("br", 1, FaultKind.NO_COMPLETION),
        ("deflate", 0, FaultKind.NO_COMPLETION),
    ],
)
@pytest.mark.shows("S-14")
async def test_decompression_bomb_is_refused_with_little_memory(coding: str, layers: int, kind: FaultKind) -> None:
    body = _packed_zeros(300) if layers else b"not packed"
    for _ in range(layers - 1):
        body = gzip.compress(body)
    for ask in (complete, read):
        tracemalloc.start()
        try:
            async with serving(repeated(body, len(body)), "application/json", coding) as url:
                exchange = await ask(url)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 32 * MB
        if ask is complete or kind is FaultKind.NO_COMPLETION:
            assert exchange.fault is not None
            assert exchange.fault.kind is kind


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "GZIP", "deflate"])
async def test_unrequested_compression_is_decompressed(coding: str) -> None:
    packed = zlib.compress(CHUNK + END) if coding == "deflate" else gzip.compress(CHUNK + END)
    async with serving(repeated(packed[:50], 50, packed[50:]), coding=coding) as url:
        exchange = await complete(url)
    assert exchange.draft is not None
    assert "".join(exchange.draft.content) == "x" * 8000


@pytest.mark.shows("I-20", "S-14")
async def test_slow_response_ends_with_the_timeout(world: World) -> None:
    async def drip(writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(b'data: {"choices": [{"delta": {"content": "x"}}]}\n\n')
            await writer.drain()
            await asyncio.sleep(0.05)

    async with serving(drip) as url, world.gateway():
        provider = await world.add_provider(base_url=url)
        dripped = await world.ask(world.command(provider=provider, timeout_s=0.5))
    assert isinstance(dripped.outcome, TimedOut)


async def test_invalid_utf8_is_replaced_and_the_next_call_works(world: World) -> None:
    torn = b'data: {"choices": [{"delta": {"content": "4\xff\xfe2 \xc3"}}]}\n\n'
    async with serving(repeated(torn, len(torn), END)) as url, world.gateway():
        provider = await world.add_provider(base_url=url)
        for _ in range(2):
            outcome = (await world.ask(world.command(provider=provider))).outcome
            assert isinstance(outcome, Answered)
            assert outcome.preview == "4\ufffd\ufffd2 \ufffd"


async def test_response_of_invalid_bytes_is_malformed(world: World) -> None:
    async with serving(repeated(b"\xff\xfe\x00", 3), "application/json") as url, world.gateway():
        provider = await world.add_provider(base_url=url)
        outcome = (await world.ask(world.command(provider=provider))).outcome
    assert isinstance(outcome, Malformed)


@pytest.mark.shows("S-14")
async def test_answer_with_an_enormous_number_is_paid_for_once(world: World) -> None:
    requests = 0
    usage = b'"usage": {"prompt_tokens": 7, "completion_tokens": 1, "cost": 1' + b"0" * 400 + b"}"
    response = b'{"choices": [{"message": {"content": "42"}, "finish_reason": "stop"}], ' + usage + b"}"

    async def send(writer: asyncio.StreamWriter) -> None:
        nonlocal requests
        requests += 1
        writer.write(response)
        await writer.drain()

    async with serving(send, "application/json") as url, world.gateway():
        provider = await world.add_provider(base_url=url)
        outcome = (await world.ask(world.command(provider=provider))).outcome
    assert isinstance(outcome, Answered)
    assert (outcome.preview, requests) == ("42", 1)
