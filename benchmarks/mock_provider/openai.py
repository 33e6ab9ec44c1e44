"""Serve OpenAI's chat API: plain and streamed completions, and the variants that flags select."""

import asyncio
import json
import time
from typing import Any

from aiohttp import web

from benchmarks.mock_provider import endless, hostile
from benchmarks.mock_provider.answers import (
    answer_to,
    asks_for_json,
    asks_for_verdict,
    logprobs_of,
    misjudged,
    schema_of,
    verdict,
)
from benchmarks.mock_provider.behaviour import Behaviour
from benchmarks.mock_provider.exchange import Exchange
from benchmarks.mock_provider.shapes import REASONING as _REASONING
from benchmarks.mock_provider.shapes import shape_of

_HIDDEN_TOKENS = 100
_HUGE_BYTES = 5 * 1024 * 1024
_PIECE = 4000


def content_for(exchange: Exchange, behaviour: Behaviour) -> str:
    if exchange.scripted_answer is not None:
        return exchange.scripted_answer
    schema = schema_of(exchange.body)
    if (
        schema or asks_for_json(exchange.body) or asks_for_verdict(exchange.prompt)
    ) and "unparsed" not in behaviour.flags:
        sound = verdict(exchange.prompt, schema)
        return hostile.verdict_of(sound) if "hostile" in behaviour.flags else misjudged(sound, behaviour.flags)
    if "hostile" in behaviour.flags:
        return hostile.TEXT
    if "longline" in behaviour.flags:
        return hostile.long_line()
    if "weird" in behaviour.flags:
        return "nul:\x00 separator:\u2028 emoji:\U0001f600 lone:\ud83d end"
    answer = answer_to(exchange.prompt, behaviour.tokens)
    return f"<think>\n{_REASONING}\n</think>\n\n{answer}" if "thinkblock" in behaviour.flags else answer


def usage_of(exchange: Exchange, content: str, behaviour: Behaviour) -> dict[str, Any]:
    prompt_tokens = max(1, len(exchange.prompt) // 4)
    completion_tokens = max(1, len(content.split()))
    details: dict[str, Any] = {}
    if "reasoner" in behaviour.flags:
        completion_tokens += _HIDDEN_TOKENS
        details = {"completion_tokens_details": {"reasoning_tokens": _HIDDEN_TOKENS}}
    usage = {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
        **details,
    }
    return exchange.vendor.usage(usage, exchange.body)


async def refuse(exchange: Exchange, behaviour: Behaviour) -> web.Response | None:
    """Return the response if the call has to be refused or redirected, else `None`. With the flag `hang`, never
    return."""
    flags, body, error = behaviour.flags, exchange.body, exchange.vendor.error
    if "hang" in flags:
        await exchange.hang()
    refused = exchange.vendor.refusal(exchange.request.headers) or _refused_parameter(exchange, flags)
    if refused is not None:
        return refused
    if "nostream" in flags and exchange.streams:
        return error(400, "stream is not supported by this model")
    if "nostreamoptions" in flags and "stream_options" in body:
        return error(400, "Unrecognized request argument supplied: stream_options")
    if "overflow" in flags:
        return error(400, "This model's maximum context length is 4096 tokens.", code="context_length_exceeded")
    if "leak" in flags:
        return error(400, f"bad request with Authorization: {exchange.request.headers.get('Authorization')}")
    status = behaviour.status(exchange.entry.number)
    if status >= 400:
        retry = {} if behaviour.retry_after_s is None else {"Retry-After": str(behaviour.retry_after_s)}
        return error(status, f"mock answers {status}", headers=retry)
    if status >= 300:
        return web.Response(status=status, headers={"Location": "http://elsewhere.invalid/v1"})
    return None


def _refused_parameter(exchange: Exchange, flags: frozenset[str]) -> web.Response | None:
    body, error = exchange.body, exchange.vendor.error
    wanted = str((body.get("response_format") or {}).get("type", "text"))
    if "reasoner" in flags:
        if "max_tokens" in body:
            message = (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' "
                "instead."
            )
            return error(400, message, code="unsupported_parameter", param="max_tokens")
        if body.get("temperature", 1) != 1:
            message = (
                f"Unsupported value: 'temperature' does not support {body['temperature']} with this model. Only the "
                "default (1) value is supported."
            )
            return error(400, message, code="unsupported_value", param="temperature")
        for name in ("top_p", "stop"):
            if name in body:
                message = f"Unsupported parameter: '{name}' is not supported with this model."
                return error(400, message, code="unsupported_parameter", param=name)
    if (wanted != "text" and "nojson" in flags) or (wanted == "json_schema" and "noschema" in flags):
        message = f"Invalid parameter: 'response_format' of type '{wanted}' is not supported with this model."
        return error(400, message, param="response_format")
    if "nologprobs" in flags and "logprobs" in body:
        message = "Unsupported parameter: 'logprobs' is not supported with this model."
        return error(400, message, code="unsupported_parameter", param="logprobs")
    reason = exchange.vendor.refused_format(wanted)
    if reason is not None:
        return error(400, reason)
    if "noendpoint" in flags and (body.get("provider") or {}).get("require_parameters"):
        return error(404, "No endpoints found that can handle the requested parameters.")
    return None


class Dialect:
    kind = "chat"
    streams_by_default = False

    async def answer(self, exchange: Exchange, behaviour: Behaviour) -> web.StreamResponse:
        flags = behaviour.flags
        refusal = await refuse(exchange, behaviour)
        if refusal is not None:
            return exchange.finished(refusal)
        if exchange.streams and "plain" not in flags:
            return await self._stream(exchange, behaviour)
        if behaviour.latency_s:
            await asyncio.sleep(behaviour.latency_s)
        if "reset" in flags or "cut" in flags:
            exchange.break_connection()
        if "badjson" in flags:
            return exchange.finished(web.Response(text='{"choices": [', content_type="application/json"))
        if "html" in flags:
            return exchange.finished(web.Response(text="<html>Welcome</html>", content_type="text/html"))
        return exchange.finished(
            web.Response(body=self._completion(exchange, behaviour), content_type="application/json"), answered=True
        )

    def _completion(self, exchange: Exchange, behaviour: Behaviour) -> bytes:
        flags, content = behaviour.flags, content_for(exchange, behaviour)
        shape = shape_of(flags, content)
        message: dict[str, Any] = {"role": "assistant", "content": content} if shape is None else dict(shape.message)
        if "refuse" in flags:
            message = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
        if "think" in flags:
            message["reasoning_content"] = _REASONING
        if "huge" in flags:
            message["content"] = "x" * _HUGE_BYTES
        finish = shape.finish if shape else _finish_reason(flags)
        choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
        if exchange.body.get("logprobs"):
            choice["logprobs"] = {"content": logprobs_of(content, exchange.body)}
        completion = {**_head(exchange, "chat.completion"), "choices": [] if "empty" in flags else [choice]}
        if "nousage" not in flags:
            completion["usage"] = usage_of(exchange, content, behaviour)
        return json.dumps(completion).encode()

    async def _stream(self, exchange: Exchange, behaviour: Behaviour) -> web.StreamResponse:
        flags = behaviour.flags
        if "reset" in flags:
            exchange.break_connection()
        kind = "text/html" if "html" in flags else "text/event-stream"
        response = web.StreamResponse(headers={"Content-Type": kind, "Cache-Control": "no-cache"})
        # The first token is sent after half of the latency, the last after all of it.
        await asyncio.sleep(behaviour.latency_s / 2)
        await response.prepare(exchange.request)
        if "drip" in flags or "flood" in flags:
            await (endless.drip(response) if "drip" in flags else endless.flood(response))
            return exchange.finished(response)
        head = _head(exchange, "chat.completion.chunk")
        content = content_for(exchange, behaviour)
        shape = shape_of(flags, content)
        pieces = _pieces(content, flags) if shape is None else list(shape.deltas)
        half = max(1, len(pieces) // 2)
        if preamble := exchange.vendor.preamble():
            await response.write(preamble)
        first = [{"role": "assistant", "content": ""}]
        if "think" in flags:
            first.append({"reasoning_content": _REASONING})
        await response.write(b"".join(_chunk(head, delta, body=exchange.body) for delta in (*first, *pieces[:half])))
        await asyncio.sleep(behaviour.latency_s / 2)
        if "cut" in flags:
            exchange.break_connection()
            return exchange.finished(response)
        if "streamerror" in flags:
            await response.write(b'data: {"error": {"message": "the engine died", "code": 503}}\n\n')
            return exchange.finished(response)
        if "truncate" in flags:
            await response.write_eof()
            return exchange.finished(response)
        rest = [_chunk(head, delta, body=exchange.body) for delta in pieces[half:]]
        if "badjson" in flags:
            rest.append(b'data: {"choices": [\n\n')
        rest.append(_chunk(head, {}, finish=shape.finish if shape else _finish_reason(flags)))
        if "nousage" not in flags and (exchange.body.get("stream_options") or {}).get("include_usage"):
            usage = usage_of(exchange, content_for(exchange, behaviour), behaviour)
            rest.append(b"data: " + json.dumps({**head, "choices": [], "usage": usage}).encode() + b"\n\n")
        rest.append(b"data: [DONE]\n\n")
        await response.write(b"".join(rest))
        await response.write_eof()
        return exchange.finished(response, answered=True)


def _finish_reason(flags: frozenset[str]) -> str:
    if "filtered" in flags:
        return "content_filter"
    return "length" if "cutoff" in flags else "stop"


def _pieces(content: str, flags: frozenset[str]) -> list[dict[str, Any]]:
    if "empty" in flags:
        return []
    if "refuse" in flags:
        return [{"refusal": "I can't "}, {"refusal": "help with that."}]
    if "huge" in flags:
        return [{"content": "x" * _PIECE}] * (_HUGE_BYTES // _PIECE)
    if "longline" in flags:
        return [{"content": content[at : at + _PIECE]} for at in range(0, len(content), _PIECE)]
    words = content.split(" ")
    return [{"content": word if index == 0 else f" {word}"} for index, word in enumerate(words)]


def _head(exchange: Exchange, kind: str) -> dict[str, Any]:
    return {
        "id": f"mock-{exchange.entry.number}",
        "object": kind,
        "created": int(time.time()),
        "model": exchange.vendor.model_name(exchange.model),
    }


def _chunk(
    head: dict[str, Any], delta: dict[str, Any], *, finish: str | None = None, body: dict[str, Any] | None = None
) -> bytes:
    choice: dict[str, Any] = {"index": 0, "delta": delta, "finish_reason": finish}
    if body and body.get("logprobs") and isinstance(delta.get("content"), str) and delta["content"]:
        choice["logprobs"] = {"content": logprobs_of(delta["content"], body)}
    return b"data: " + json.dumps({**head, "choices": [choice]}).encode() + b"\n\n"
