"""Build the HTTP application that all services share: problem+json, health, limits, and the check of hosts
(`llmbench.http.door`).
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from fnmatch import fnmatchcase
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from llmbench.errors import FieldError, Problem
from llmbench.faults import field_errors
from llmbench.files.unreadable import MAX_DEPTH
from llmbench.http.authentication import Authentication, Authenticator
from llmbench.http.door import Door, header_values
from llmbench.http.json_depth import nests_deeper
from llmbench.http.observer import HttpObserver
from llmbench.http.openapi import Api
from llmbench.http.problems import answer_problem, problem
from llmbench.http.request_checks import body_model
from llmbench.http.rest_of_body import RestOfBody
from llmbench.http.service_router import shared_options
from llmbench.observability.telemetry import flush_spans

_log = logging.getLogger(__name__)

MAX_BODY_BYTES = 4 * 1024 * 1024
_MOST_FAULTS = 50

Readiness = Callable[[], Awaitable[str | None]]
"""Returns `None` when the service is ready, else what is missing."""


def make_app(
    *,
    title: str,
    door: Door,
    readiness: Readiness,
    lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]],
    authentication: Authentication = Authentication(),  # noqa: B008  # immutable
    max_body_bytes: int = MAX_BODY_BYTES,
    larger_bodies: Mapping[str, int] | None = None,
    larger_json: Mapping[str, int] | None = None,
) -> FastAPI:
    """Return a FastAPI application with health checks, metrics, error responses and limits; a service adds its routes.

    `authentication` says how requests get their organisation and person. `larger_bodies` maps paths to higher limits
    than `max_body_bytes`, in bytes, for uploads; `*` in a path stands for any text. `larger_json` maps paths
    without `*` to higher limits for JSON bodies.
    """

    @asynccontextmanager
    async def flushed(app: FastAPI) -> AsyncIterator[None]:
        try:
            async with lifespan(app):
                yield
        finally:
            flush_spans()

    app = Api(
        title=title,
        lifespan=flushed,
        docs_url=None,
        redoc_url=None,
        **shared_options(),
    )
    app.add_exception_handler(Problem, _answer_problem)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(HTTPException, _answer_http_exception)
    app.add_exception_handler(Exception, _answer_unexpected)
    app.add_middleware(Authenticator, authentication=authentication)
    app.add_middleware(
        _BodyLimit, max_body_bytes=max_body_bytes, larger_bodies=larger_bodies or {}, larger_json=larger_json or {}
    )
    app.add_middleware(RestOfBody)
    app.add_middleware(Doorkeeper, door=door)
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


async def _answer_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return problem(error)


async def _answer_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problem(invalid_request(error.errors(), body_model(request.scope.get("route"))))


def invalid_request(faults: Sequence[Mapping[str, Any]], model: Any) -> Problem:
    """Return the error response for a request that FastAPI found invalid: a 400 for malformed JSON, otherwise a 422.

    The 422 names up to 50 fields at fault. `model` is the type by which the body was validated, `None` if unknown.
    """
    if any(fault["type"] == "json_invalid" for fault in faults):
        return Problem(400, "Not JSON", "The body is not valid JSON. Send application/json.")
    of_body = field_errors([{**fault, "loc": fault["loc"][1:]} for fault in faults if fault["loc"][0] == "body"], model)
    others = field_errors([{**fault, "loc": fault["loc"][1:]} for fault in faults if fault["loc"][0] != "body"])
    errors = [FieldError(fault.field or "body", fault.message) for fault in (*others, *of_body)][:_MOST_FAULTS]
    listed = "; ".join(f"{fault.field}: {fault.message}" for fault in errors[:5])
    return Problem(422, "Invalid request", listed, errors=errors)


async def _answer_http_exception(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    title = HTTPStatus(error.status_code).phrase
    answer = problem(Problem(error.status_code, title, str(error.detail)))
    # Keep the error's headers: a 405 must list the allowed methods, a 401 how to authenticate.
    answer.headers.update(error.headers or {})
    return answer


async def _answer_unexpected(request: Request, error: Exception) -> Response:
    _log.error("unexpected error in %s %s", request.method, request.url.path, exc_info=error)
    return problem(Problem(500, "Internal error", "Something unexpected happened; the service's log says what."))


class Doorkeeper:
    """Middleware that refuses requests and WebSockets whose host or origin is not accepted."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._door.refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await answer_problem(refusal, scope, receive, send)


class _BodyLimit:
    """Middleware that answers 413 as soon as a body exceeds its limit, and 422 to JSON that is nested too deeply.

    Deep nesting would overflow the stack in a later step that recurses over the value. The bodies at the paths of
    `larger_bodies` are files, whose readers bound the nesting themselves.
    """

    def __init__(
        self, app: ASGIApp, max_body_bytes: int, larger_bodies: Mapping[str, int], larger_json: Mapping[str, int]
    ) -> None:
        self._app = app
        self._max = max_body_bytes
        self._larger = larger_bodies
        self._larger_json = larger_json

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        larger = next((most for path, most in self._larger.items() if fnmatchcase(scope["path"], path)), None)
        most = larger or self._larger_json.get(scope["path"], self._max)
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
            # Raise `HTTPException`: FastAPI would turn any other exception that occurs while it reads a body into a
            # 400.
            if received > most:
                raise HTTPException(413, _too_large(most).detail)
            if body is not None and message["type"] == "http.request":
                body.append(part)
                if not message.get("more_body") and nests_deeper(b"".join(body), MAX_DEPTH):
                    raise HTTPException(422, f"The body is nested more than {MAX_DEPTH} deep.")
            return message

        await self._app(scope, bounded, send)


def _may_be_json(scope: Scope) -> bool:
    """Return whether FastAPI may parse the body as JSON: its content type is JSON or missing."""
    types = header_values(scope, b"content-type")
    return not types or any("json" in each.lower() for each in types)


def _too_large(most: int) -> Problem:
    return Problem(413, "Too large", f"The body exceeds the limit of {most} bytes.")
