"""Run a proxy to a model's server that records the system prompt and the question of each call."""

import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
from aiohttp import web

from llmbench_cli.embedded.ports import LOOPBACK, free_port

TIMEOUT_S = 240.0


@dataclass(frozen=True)
class Call:
    """A chat completion that a client has requested."""

    system_prompt: str
    question: str


@contextlib.asynccontextmanager
async def counting_proxy(url: str) -> AsyncIterator[tuple[str, list[Call]]]:
    """Yield the URL of a proxy to the OpenAI-compatible server at `url`, and its list of calls so far."""
    calls: list[Call] = []

    async def pass_on(request: web.Request) -> web.StreamResponse:
        body = await request.read()
        if request.path.endswith("/chat/completions"):
            said = {message["role"]: message["content"] for message in json.loads(body)["messages"]}
            calls.append(Call(said.get("system", ""), said["user"]))
        more = {"content-type": request.content_type} if body else {}
        async with upstream.stream(request.method, url + request.path, content=body, headers=more) as answer:
            response = web.StreamResponse(
                status=answer.status_code, headers={"content-type": answer.headers["content-type"]}
            )
            await response.prepare(request)
            async for chunk in answer.aiter_bytes():
                await response.write(chunk)
        await response.write_eof()
        return response

    app = web.Application()
    app.add_routes([web.route("*", "/{path:.*}", pass_on)])
    runner = web.AppRunner(app)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, LOOPBACK, port).start()
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT_S) as upstream:
            yield f"http://{LOOPBACK}:{port}", calls
    finally:
        await runner.cleanup()
