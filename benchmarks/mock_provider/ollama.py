"""Serve Ollama's native `/api/chat`: streams are lines of JSON, whose last one has the token counts."""

import asyncio
import json
from typing import Any

from aiohttp import web

from benchmarks.mock_provider.answers import logprobs_of
from benchmarks.mock_provider.behaviour import Behaviour
from benchmarks.mock_provider.exchange import Exchange
from benchmarks.mock_provider.openai import content_for, refuse, usage_of
from benchmarks.mock_provider.shapes import native_shape_of


class Dialect:
    kind = "chat"
    streams_by_default = True

    async def answer(self, exchange: Exchange, behaviour: Behaviour) -> web.StreamResponse:
        refusal = await refuse(exchange, behaviour)
        if refusal is None and exchange.body.get("think") and "think" not in behaviour.flags:
            refusal = exchange.vendor.error(400, f'"{exchange.model}" does not support thinking')
        if refusal is not None:
            return exchange.finished(refusal)
        content = content_for(exchange, behaviour)
        usage = usage_of(exchange, content, behaviour)
        shape = native_shape_of(behaviour.flags)
        thinks = "think" in behaviour.flags and exchange.body.get("think") is not False
        last = {
            "done": True,
            "done_reason": "length" if behaviour.flags & {"thinkonly", "cutoff"} else "stop",
            "prompt_eval_count": usage["prompt_tokens"],
            "eval_count": usage["completion_tokens"],
            "total_duration": int(behaviour.latency_s * 1e9),
            "load_duration": 0,
            "prompt_eval_duration": 0,
            "eval_duration": int(behaviour.latency_s * 1e9),
        }
        await asyncio.sleep(behaviour.latency_s / 2)
        if not exchange.streams:
            await asyncio.sleep(behaviour.latency_s / 2)
            message = {"content": content, "thinking": "Let me think."} if thinks else {"content": content}
            message = shape or message
            line = _line(exchange, message, last | _tokens(exchange, content))
            return exchange.finished(web.Response(body=line, content_type="application/json"), answered=True)
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(exchange.request)
        if thinks:
            await response.write(_line(exchange, {"content": "", "thinking": "Let me think."}, {"done": False}))
        if shape is not None:
            await response.write(_line(exchange, shape, {"done": False}))
        words = [] if shape is not None else content.split(" ")
        for index, word in enumerate(words):
            piece = word if index == 0 else f" {word}"
            await response.write(_line(exchange, {"content": piece}, {"done": False} | _tokens(exchange, piece)))
            if index == (len(words) - 1) // 2:
                await asyncio.sleep(behaviour.latency_s / 2)
        if "streamerror" in behaviour.flags:
            await response.write(b'{"error": "llama runner process no longer running: 2"}\n')
            await response.write_eof()
            return exchange.finished(response)
        if "truncate" in behaviour.flags:
            await response.write_eof()
            return exchange.finished(response)
        await response.write(_line(exchange, {"content": ""}, last))
        await response.write_eof()
        return exchange.finished(response, answered=True)


def _tokens(exchange: Exchange, text: str) -> dict[str, Any]:
    return {"logprobs": logprobs_of(text, exchange.body)} if exchange.body.get("logprobs") else {}


def _line(exchange: Exchange, message: dict[str, Any], rest: dict[str, Any]) -> bytes:
    body = {
        "model": exchange.model,
        "created_at": "2026-01-01T00:00:00Z",
        "message": {"role": "assistant", **message},
        **rest,
    }
    return json.dumps(body).encode() + b"\n"
