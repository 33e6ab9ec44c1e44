"""Answer with problem details (RFC 9457)."""

from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from llmbench.errors import Problem
from llmbench.http.openapi import PROBLEM_TYPE


def problem(error: Problem) -> JSONResponse:
    """Return the HTTP response with the problem's details. A 401 gets the header `WWW-Authenticate` (RFC 9110, 11.6.1),
    and a problem with a member `retry_after_s` the header `Retry-After`."""
    body = {"type": error.slug, "title": error.title, "status": error.status, "detail": error.detail, **error.extra}
    if error.errors:
        body["errors"] = [{"field": fault.field, "message": fault.message} for fault in error.errors]
    headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
    if "retry_after_s" in error.extra:
        headers["Retry-After"] = str(error.extra["retry_after_s"])
    return JSONResponse(jsonable_encoder(body), status_code=error.status, media_type=PROBLEM_TYPE, headers=headers)


async def answer_problem(error: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request with the problem; close a WebSocket that is not yet accepted."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": error.detail})
    else:
        await problem(error)(scope, receive, send)
