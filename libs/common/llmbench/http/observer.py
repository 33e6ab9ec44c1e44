"""Observe HTTP requests: continue their trace, add ids to their log lines, measure durations by route."""

import re
import time
from typing import Any

from opentelemetry.trace import Span, SpanKind, StatusCode
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from llmbench.observability.logs import bound
from llmbench.observability.metrics import HTTP_SECONDS
from llmbench.observability.telemetry import incoming

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_RUN = re.compile(r"/runs/([0-9a-fA-F-]{36})(?:/items/([0-9a-fA-F-]{36}))?(?:/|$)")
_REQUEST_ID = re.compile(r"[A-Za-z0-9_.:-]{1,128}")


class HttpObserver:
    """Middleware that observes HTTP requests and WebSockets, except `/health/…` and `/metrics`. Durations are measured
    for HTTP requests only.

    It has to be the outermost middleware, so that it also counts refused requests.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or scope["path"] == "/metrics" or scope["path"].startswith("/health/"):
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        method = scope.get("method", "GET")
        if method not in _METHODS:
            method = "_OTHER"
        attributes = {"http.request.method": method, "url.path": scope["path"]}
        with (
            bound(**_ids(scope, headers)),
            incoming(headers.get(b"traceparent"), method, SpanKind.SERVER, attributes) as span,
        ):
            if scope["type"] == "http":
                await self._observe(scope, receive, send, method, span)
            else:
                await self._app(scope, receive, send)

    async def _observe(self, scope: Scope, receive: Receive, send: Send, method: str, span: Span) -> None:
        status = 500
        began = time.perf_counter()

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            route = _route(scope)
            HTTP_SECONDS.labels(method, route, str(status)).observe(time.perf_counter() - began)
            span.update_name(f"{method} {route}")
            span.set_attributes({"http.route": route, "http.response.status_code": status})
            if status >= 500:
                span.set_status(StatusCode.ERROR)


def _route(scope: dict[str, Any] | Any) -> str:
    """Return the template of the request's path; `unmatched` if no route has the path.

    The template is a metric label, so it must not have more values than there are endpoints.
    """
    return getattr(scope.get("route"), "path", "unmatched")


def _ids(scope: Scope, headers: dict[bytes, str]) -> dict[str, str]:
    ids: dict[str, str] = {}
    request_id = headers.get(b"x-request-id", "")
    if _REQUEST_ID.fullmatch(request_id):
        ids["request_id"] = request_id
    if match := _RUN.search(scope["path"]):
        ids["run_id"] = match[1]
        if match[2]:
            ids["item_id"] = match[2]
    return ids
