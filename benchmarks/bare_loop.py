"""Measure a baseline for the platform: a loop that requests an answer and a verdict per item, as the platform does, but
stores nothing."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, Literal

import aiohttp
import httpx

Library = Literal["aiohttp", "httpx"]
Ask = Callable[[dict[str, Any]], Awaitable[str]]

_VERDICT_SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 0, "maximum": 10}},
}


async def bare_loop(library: Library, provider_url: str, *, items: int, concurrency: int, model: str) -> float:
    """Request an answer by `model`, and a verdict by `<model>-judge`, for each of `items` items. Return the duration in
    seconds. The loop handles `concurrency` items at a time, with the HTTP library `library`."""
    url = f"{provider_url}/v1/chat/completions"
    async with AsyncExitStack() as stack:
        ask = await _asker(library, url, stack, concurrency)
        numbers = iter(range(items))

        async def work() -> None:
            for number in numbers:
                question = f"What is {number} + {number}?"
                answer = await ask({"model": model, "messages": [{"role": "user", "content": question}]})
                judging = f'Give {{"reason", "score"}} to this answer to {question}: {answer}'
                form = {"type": "json_schema", "json_schema": {"name": "verdict", "schema": _VERDICT_SCHEMA}}
                messages = [{"role": "user", "content": judging}]
                await ask({"model": f"{model}-judge", "messages": messages, "response_format": form})

        began = time.perf_counter()
        await asyncio.gather(*(work() for _ in range(concurrency)))
        return time.perf_counter() - began


async def _asker(library: Library, url: str, stack: AsyncExitStack, concurrency: int) -> Ask:
    if library == "aiohttp":
        session = await stack.enter_async_context(aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)))

        async def by_aiohttp(body: dict[str, Any]) -> str:
            async with session.post(url, json=body) as response:
                return _content(await response.json())

        return by_aiohttp
    limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    client = await stack.enter_async_context(httpx.AsyncClient(limits=limits, timeout=60))

    async def by_httpx(body: dict[str, Any]) -> str:
        return _content((await client.post(url, json=body)).json())

    return by_httpx


def _content(completion: dict[str, Any]) -> str:
    content: str = completion["choices"][0]["message"]["content"]
    return content
