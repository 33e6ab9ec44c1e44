"""Serve a RAG service's own JSON API: the request has a question, the response an answer with citations. The path
contains the model's name.
"""

import asyncio
from typing import Any

from aiohttp import web

from benchmarks.mock_provider.behaviour import Behaviour
from benchmarks.mock_provider.exchange import Exchange
from benchmarks.mock_provider.openai import content_for, refuse

CITATIONS: list[dict[str, Any]] = [
    {"document": "HR_Policy_2026.md", "section": "Time Off", "relevance_score": 0.87},
    {"document": "Handbook.md", "section": "Portal", "relevance_score": 0.41},
]


class Dialect:
    kind = "chat"
    streams_by_default = False

    async def answer(self, exchange: Exchange, behaviour: Behaviour) -> web.StreamResponse:
        refusal = await refuse(exchange, behaviour)
        if refusal is not None:
            return exchange.finished(refusal)
        await asyncio.sleep(behaviour.latency_s)
        if "reset" in behaviour.flags:
            exchange.break_connection()
        if "badjson" in behaviour.flags:
            return exchange.finished(web.Response(text='{"answer": ', content_type="application/json"))
        if "html" in behaviour.flags:
            return exchange.finished(web.Response(text="<html>Welcome</html>", content_type="text/html"))
        answer = content_for(exchange, behaviour)
        body: dict[str, Any] = {"answer": answer, "turns_known": len(exchange.body.get("history") or [])}
        if "uncited" not in behaviour.flags:
            body["citations"] = CITATIONS
        if "empty" in behaviour.flags:
            body = {"reply": answer}
        return exchange.finished(web.json_response(body), answered="empty" not in behaviour.flags)
