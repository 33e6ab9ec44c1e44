"""What every service's HTTP side has in common: problem+json, health, bounds, and who may ask.

No authentication on loopback (DESIGN.md section 7), so foreign `Host` and `Origin` headers are
refused: that is what stops DNS rebinding and cross-site requests.
"""

import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from fnmatch import fnmatchcase
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from llmbench.errors import FieldError, Problem
from llmbench.files.unreadable import MAX_DEPTH
from llmbench.http_observer import HttpObserver
from llmbench.json_depth import nests_deeper
from llmbench.telemetry import flush_spans

_log = logging.getLogger(__name__)

_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:[0-9]*)?")
PROBLEM_TYPE = "application/problem+json"
MAX_BODY_BYTES = 4 * 1024 * 1024

Readiness = Callable[[], Awaitable[str | None]]
"""Returns `None` when the service can do its work, else what it lacks."""


class ProblemField(BaseModel):
    field: str
    message: str


class ProblemBody(BaseModel):
    """RFC 9457, as the OpenAPI documents describe it."""

    model_config = ConfigDict(extra="allow")

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    errors: list[ProblemField] = []


class _Api(FastAPI):
    """Documents problems under the media type they are sent with; FastAPI writes `application/json`."""

    def openapi(self) -> dict[str, Any]:
        document = super().openapi()
        for path in document["paths"].values():
            for operation in path.values():
                for status, response in operation["responses"].items():
                    content = response.get("content", {})
                    if not status.startswith("2") and "application/json" in content:
                        content[PROBLEM_TYPE] = content.pop("application/json")
        return document


def make_app(
    *,
    title: str,
    origins: Sequence[str],
    readiness: Readiness,
    lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]],
    max_body_bytes: int = MAX_BODY_BYTES,
    larger_bodies: Mapping[str, int] | None = None,
) -> FastAPI:
    """A FastAPI application with health, problems and bounds; routers are added by the service.

    `larger_bodies` are the paths that may take more than `max_body_bytes`, as uploads of files; `*` in one stands
    for an id.
    """

    @asynccontextmanager
    async def flushed(app: FastAPI) -> AsyncIterator[None]:
        try:
            async with lifespan(app):
                yield
        finally:
            flush_spans()

    app = _Api(
        title=title,
        lifespan=flushed,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
        responses={"default": {"model": ProblemBody, "description": "Problem"}},
    )
    app.add_exception_handler(Problem, _answer_problem)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(HTTPException, _answer_http_exception)
    app.add_exception_handler(Exception, _answer_unexpected)
    app.add_middleware(_BodyLimit, max_body_bytes=max_body_bytes, larger_bodies=larger_bodies or {})
    app.add_middleware(Doorkeeper, origins=origins)
    app.add_middleware(HttpObserver)

    @app.get("/health/live", include_in_schema=False)
    async def live() -> dict[str, str]:
        return {"status": "live"}

    @app.get("/health/ready", include_in_schema=False)
    async def ready() -> Response:
        lacking = await readiness()
        if lacking is None:
            return JSONResponse({"status": "ready"})
        return problem(Problem(503, "Not ready", lacking))

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

    return app


def problem(error: Problem) -> JSONResponse:
    body = {"type": error.slug, "title": error.title, "status": error.status, "detail": error.detail, **error.extra}
    if error.errors:
        body["errors"] = [{"field": fault.field, "message": fault.message} for fault in error.errors]
    return JSONResponse(jsonable_encoder(body), status_code=error.status, media_type=PROBLEM_TYPE)


async def _answer_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return problem(error)


async def _answer_invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = error.errors()
    if any(fault["type"] == "json_invalid" for fault in faults):
        return problem(Problem(400, "Not JSON", "The body is not valid JSON. Send application/json."))
    errors = [FieldError(_path(fault["loc"]), _message(fault)) for fault in faults[:50]]
    listed = "; ".join(f"{fault.field}: {fault.message}" for fault in errors[:5])
    return problem(Problem(422, "Invalid request", listed, errors=errors))


def _message(fault: dict[str, Any]) -> str:
    """Without the "Value error, " that pydantic puts before what our own validators say."""
    return str(fault["ctx"]["error"] if fault["type"] == "value_error" else fault["msg"])


def _path(location: Sequence[Any]) -> str:
    steps = [str(step) for step in location if step not in ("body", "query", "path", "header")]
    return ".".join(steps) or "body"


async def _answer_http_exception(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    title = HTTPStatus(error.status_code).phrase
    answer = problem(Problem(error.status_code, title, str(error.detail)))
    # A 405 must say what is allowed, a 401 how to authenticate.
    answer.headers.update(error.headers or {})
    return answer


async def _answer_unexpected(request: Request, error: Exception) -> Response:
    _log.error("unexpected error in %s %s", request.method, request.url.path, exc_info=error)
    return problem(Problem(500, "Internal error", "Something unexpected happened; the service's log says what."))


class Doorkeeper:
    """Refuses requests and WebSockets whose `Host` or `Origin` is not one of ours."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        self._app = app
        self._origins = frozenset(origins)
        self._hosts = {"127.0.0.1", "localhost", "::1"} | {
            host for host in (urlsplit(origin).hostname for origin in origins) if host
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(_values(scope, b"host"), _values(scope, b"origin"))
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": refusal.detail})
        else:
            await problem(refusal)(scope, receive, send)

    def _refusal(self, hosts: list[str], origins: list[str]) -> Problem | None:
        """One `Host`, and nothing in it that a proxy could read in another way; every `Origin` there is."""
        told = ", ".join(hosts)
        host = _HOST.fullmatch(told)
        if host is None or host["name"].strip("[]").lower() not in self._hosts:
            return Problem(421, "Foreign host", f"This service does not answer for the host {told!r}.")
        for origin in origins:
            if origin not in self._origins:
                return Problem(
                    403,
                    "Foreign origin",
                    f"Requests from {origin} are refused; LLMBENCH_PUBLIC_ORIGINS names those allowed.",
                )
        return None


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for header, value in scope["headers"] if header == name]


class _BodyLimit:
    """Answers 413 to a body over the limit, as soon as that is known, and 422 to JSON that is nested too deeply.

    What is parsed, checked and written out again level by level would fail somewhere on the way. Files may be larger,
    and are read by those who know what is in them.
    """

    def __init__(self, app: ASGIApp, max_body_bytes: int, larger_bodies: Mapping[str, int]) -> None:
        self._app = app
        self._max = max_body_bytes
        self._larger = larger_bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        larger = next((most for path, most in self._larger.items() if fnmatchcase(scope["path"], path)), None)
        most = larger or self._max
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > most:
            await problem(_too_large(most))(scope, receive, send)
            return
        received = 0
        body: list[bytes] | None = [] if larger is None and _may_be_json(scope) else None

        async def bounded() -> Message:
            nonlocal received
            message = await receive()
            part = message.get("body", b"")
            received += len(part)
            # Not Problems: FastAPI turns whatever else a body's reading raises into a 400.
            if received > most:
                raise HTTPException(413, _too_large(most).detail)
            if body is not None and message["type"] == "http.request":
                body.append(part)
                if not message.get("more_body") and nests_deeper(b"".join(body), MAX_DEPTH):
                    raise HTTPException(422, f"The body is nested more than {MAX_DEPTH} deep.")
            return message

        await self._app(scope, bounded, send)


def _may_be_json(scope: Scope) -> bool:
    """Whether FastAPI may parse the body as JSON: it is said to be, or nothing is said."""
    types = _values(scope, b"content-type")
    return not types or any("json" in each.lower() for each in types)


def _too_large(most: int) -> Problem:
    return Problem(413, "Too large", f"The body exceeds the limit of {most} bytes.")
