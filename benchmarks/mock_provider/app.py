"""Serve the mock's HTTP APIs: the imitated provider APIs, its record of calls, and `POST /control`."""

import asyncio
import json
from collections import Counter, deque
from dataclasses import dataclass, field, replace
from typing import Any

from aiohttp import web

from benchmarks.mock_provider import embeddings as vectors
from benchmarks.mock_provider import ollama, openai, rag
from benchmarks.mock_provider.answers import prompt_of
from benchmarks.mock_provider.behaviour import Behaviour, behaviour_of
from benchmarks.mock_provider.exchange import Exchange
from benchmarks.mock_provider.ledger import Ledger
from benchmarks.mock_provider.script import Script
from benchmarks.mock_provider.vendors import ANY, OLLAMA_NATIVE, VENDORS, Vendor

MODELS = ("mock-0ms", "mock-50ms", "mock-200ms", "mock-8s", "mock-0ms-unparsed", "mock-50ms-429every3")
_MAX_BODY_BYTES = 32 * 1024 * 1024


@dataclass
class Controls:
    """The changes of models' behaviour that `POST /control` has made, by model name.

    `latency_s` replaces the latency. `failing` is the number of next calls that get the HTTP status in `fail_status`.
    """

    latency_s: dict[str, float] = field(default_factory=dict)
    failing: Counter[str] = field(default_factory=Counter)
    fail_status: dict[str, int] = field(default_factory=dict)
    following: dict[str, deque[str | None]] = field(default_factory=dict)
    """The behaviours of a model's next calls, as names like `mock-50ms`. None stands for the model's own behaviour."""
    passes: dict[str, int] = field(default_factory=dict)
    """The number of calls that may still pass, for each model that is held. Other models are not held."""
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def set(self, model: str, wanted: dict[str, Any]) -> None:
        if "latency_s" in wanted:
            self.latency_s[model] = float(wanted["latency_s"])
        if "fail_next" in wanted:
            self.failing[model] = int(wanted["fail_next"])
            self.fail_status[model] = int(wanted.get("status", 500))
        if "next" in wanted:
            self.following[model] = deque(wanted["next"])
        if "hold" in wanted:
            async with self._changed:
                if wanted["hold"] is None:
                    self.passes.pop(model, None)
                else:
                    self.passes[model] = int(wanted["hold"])
                self._changed.notify_all()

    async def let_through(self, model: str) -> None:
        """Wait until a call of the model may pass. `POST /control` can hold a model's calls back (`hold`)."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.passes.get(model, 1) > 0)
            if model in self.passes:
                self.passes[model] -= 1

    def apply(self, model: str, behaviour: Behaviour, prompt: str) -> Behaviour:
        following = self.following.get(model)
        if following and (name := following.popleft()) is not None:
            behaviour = behaviour_of(name) or behaviour
        behaviour = replace(behaviour, latency_s=behaviour.latency_at(prompt))
        if model in self.latency_s:
            behaviour = replace(behaviour, latency_s=self.latency_s[model])
        if self.failing[model] > 0:
            self.failing[model] -= 1
            behaviour = replace(behaviour, always=self.fail_status[model])
        return behaviour


class MockProvider:
    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.controls = Controls()
        self.script = Script()
        self.loaded: set[str] = set()
        """The models that Ollama's `/api/ps` lists as loaded."""

    async def openai_chat(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, openai.Dialect(), _vendor(request))

    async def azure_deployment(self, request: web.Request) -> web.StreamResponse:
        """Serve a chat request at the path of an Azure deployment. Answer 404 to a request without `api-version`."""
        if "api-version" not in request.query:
            return VENDORS["azure"].error(404, "Resource not found", code="404")
        return await self._answer(request, openai.Dialect(), VENDORS["azure"])

    async def ollama_chat(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, ollama.Dialect(), OLLAMA_NATIVE)

    async def embeddings(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, vectors.Dialect(), _vendor(request))

    async def rag_query(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, rag.Dialect(), ANY)

    async def _answer(
        self,
        request: web.Request,
        dialect: "openai.Dialect | ollama.Dialect | vectors.Dialect | rag.Dialect",
        vendor: Vendor,
    ) -> web.StreamResponse:
        raw = await request.read()
        try:
            body = json.loads(raw)
            # In Azure's path the deployment is the model; a RAG service's model is in its path.
            model = str(request.match_info.get("deployment") or request.match_info.get("model") or body["model"])
        except (ValueError, KeyError, TypeError):
            return vendor.error(400, "the body is no chat request")
        prompt = prompt_of(body)
        behaviour, scripted_answer = self.script.part(model, prompt)
        streams = bool(body.get("stream", dialect.streams_by_default))
        kind = "stream" if streams else dialect.kind
        entry = self.ledger.begin(request.headers, model=model, kind=kind, prompt=prompt)
        exchange = Exchange(request, body, model, prompt, streams, entry, vendor, scripted_answer)
        try:
            if behaviour is None:
                return exchange.finished(vendor.refusal(request.headers) or vendor.unknown_model(model))
            self.loaded.add(model)
            entry.held = True
            await self.controls.let_through(model)
            entry.held = False
            return await dialect.answer(exchange, self.controls.apply(model, behaviour, prompt))
        finally:
            # This also runs when the client disconnected: the handler is then cancelled, and nothing was answered.
            self.ledger.end(entry, status=exchange.status, answered=exchange.answered)

    async def ollama_generate(self, request: web.Request) -> web.Response:
        """Unload a model: the only supported use of this path, with `keep_alive` 0. Answer 404 to any other request."""
        body = await request.json()
        model = str(body.get("model"))
        entry = self.ledger.begin(request.headers, model=model, kind="unload", prompt="")
        known = self.script.part(model, "")[0] is not None and body.get("keep_alive") == 0
        status = 200 if known else 404
        self.ledger.end(entry, status=status, answered=known)
        self.loaded.discard(model)
        if not known:
            return web.json_response({"error": f"model {model!r} not found"}, status=404)
        return web.json_response({"model": model, "response": "", "done": True, "done_reason": "unload"})

    async def list_models(self, request: web.Request) -> web.Response:
        vendor = _vendor(request)
        return vendor.refusal(request.headers) or web.json_response(vendor.models(self.script.models() or MODELS))

    async def list_tags(self, request: web.Request) -> web.Response:
        return web.json_response({"models": [{"name": name, "model": name} for name in MODELS]})

    async def list_loaded(self, request: web.Request) -> web.Response:
        return web.json_response({"models": [{"name": name, "model": name} for name in sorted(self.loaded)]})

    async def read_ledger(self, request: web.Request) -> web.Response:
        return web.json_response(self.ledger.rows())

    async def read_stats(self, request: web.Request) -> web.Response:
        return web.json_response(self.ledger.stats())

    async def clear_ledger(self, request: web.Request) -> web.Response:
        self.ledger.clear()
        return web.Response(status=204)

    async def control(self, request: web.Request) -> web.Response:
        wanted = await request.json()
        await self.controls.set(str(wanted["model"]), wanted)
        self.script.set(str(wanted["model"]), wanted)
        return web.Response(status=204)


def _openai_routes(prefix: str, provider: MockProvider) -> list[web.RouteDef]:
    return [
        web.post(f"{prefix}/v1/chat/completions", provider.openai_chat),
        web.post(f"{prefix}/v1/embeddings", provider.embeddings),
        web.get(f"{prefix}/v1/models", provider.list_models),
    ]


def _ollama_routes(prefix: str, provider: MockProvider) -> list[web.RouteDef]:
    return [
        web.post(f"{prefix}/api/chat", provider.ollama_chat),
        web.post(f"{prefix}/api/generate", provider.ollama_generate),
        web.get(f"{prefix}/api/tags", provider.list_tags),
        web.get(f"{prefix}/api/ps", provider.list_loaded),
    ]


def _vendor(request: web.Request) -> Vendor:
    return VENDORS.get(request.path.split("/")[1], ANY)


def make_app(ledger: Ledger) -> web.Application:
    provider = MockProvider(ledger)
    # A handler whose client disconnected is cancelled, so that its call does not count as answered.
    app = web.Application(client_max_size=_MAX_BODY_BYTES, handler_args={"handler_cancellation": True})
    app.add_routes(
        [
            *_openai_routes("", provider),
            *_ollama_routes("", provider),
            *(route for name in VENDORS for route in _openai_routes(f"/{name}", provider)),
            *_openai_routes("/openrouter/api", provider),
            *_openai_routes("/azure/openai", provider),
            *_ollama_routes("/ollama", provider),
            web.post("/azure/openai/deployments/{deployment}/chat/completions", provider.azure_deployment),
            web.post("/azure/openai/deployments/{deployment}/embeddings", provider.embeddings),
            web.get("/azure/openai/models", provider.list_models),
            web.post("/rag/{model}/query", provider.rag_query),
            web.get("/ledger", provider.read_ledger),
            web.get("/ledger/stats", provider.read_stats),
            web.delete("/ledger", provider.clear_ledger),
            web.post("/control", provider.control),
        ]
    )
    return app
