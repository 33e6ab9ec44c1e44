"""Serve OpenAI's embeddings API. Vectors are derived from words, so that texts with the same words are similar."""

import asyncio
import hashlib
import json
import math
import random
import re
from typing import Any

from aiohttp import web

from benchmarks.mock_provider.behaviour import Behaviour
from benchmarks.mock_provider.exchange import Exchange
from benchmarks.mock_provider.openai import refuse

DIMENSIONS = 64
_HUGE = [0.125] * 1_000_000


class Dialect:
    kind = "embeddings"
    streams_by_default = False

    async def answer(self, exchange: Exchange, behaviour: Behaviour) -> web.StreamResponse:
        flags = behaviour.flags
        refusal = await refuse(exchange, behaviour)
        if refusal is not None:
            return exchange.finished(refusal)
        given = exchange.body.get("input")
        texts = [str(text) for text in given] if isinstance(given, list) else [str(given or "")]
        if not texts or not all(texts):
            return exchange.finished(exchange.vendor.error(400, "'input' must be one or more texts that are not empty"))
        if behaviour.latency_s:
            await asyncio.sleep(behaviour.latency_s)
        if "reset" in flags:
            exchange.break_connection()
        if "badjson" in flags:
            return exchange.finished(web.Response(text='{"data": [', content_type="application/json"))
        if "html" in flags:
            return exchange.finished(web.Response(text="<html>Welcome</html>", content_type="text/html"))
        size = int(exchange.body.get("dimensions", DIMENSIONS))
        vectors = [_HUGE if "huge" in flags else vector(text, size) for text in texts]
        rows = [{"object": "embedding", "index": index, "embedding": values} for index, values in enumerate(vectors)]
        answer: dict[str, Any] = {
            "object": "list",
            "data": rows[1:] if "empty" in flags else rows,
            "model": exchange.vendor.model_name(exchange.model),
        }
        if "nousage" not in flags:
            tokens: int = sum(max(1, len(text) // 4) for text in texts)
            answer["usage"] = {"prompt_tokens": tokens, "total_tokens": tokens}
        return exchange.finished(
            web.Response(text=json.dumps(answer), content_type="application/json"), answered="empty" not in flags
        )


def vector(text: str, dimensions: int) -> list[float]:
    """Return a vector of `dimensions` numbers for a text: the sum of one pseudo-random vector per word, scaled to
    length 1."""
    total = [0.0] * dimensions
    for word in re.findall(r"\w+", text.lower()) or [text]:
        seed = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
        draw = random.Random(seed)  # noqa: S311  # must be reproducible; protects nothing
        total = [value + draw.gauss(0, 1) for value in total]
    length = math.hypot(*total)
    return [round(value / length, 6) for value in total]
