"""Check every request before its operation: refuse unknown query parameters and bodies of the wrong content type.

If a misspelt parameter were ignored, the response would answer another question than the one asked.
"""

from collections.abc import Iterator
from email.message import Message
from typing import Any

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.params import Form
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.requests import HTTPConnection

from llmbench.errors import FieldError, Problem
from llmbench.faults import meant

_JSON_HINT = "Send JSON: curl -H 'Content-Type: application/json' -d '{…}'"


async def check_request(connection: HTTPConnection) -> None:
    """Raise a `Problem` for a request that its operation cannot read.

    The status is 422 for an unknown query parameter. It is 415 if the operation takes JSON and the body has another
    content type. WebSockets, and operations outside the OpenAPI document, are not checked.
    """
    route = connection.scope.get("route")
    # WebSockets, health and metrics are not in the OpenAPI document.
    if not isinstance(connection, Request) or not isinstance(route, APIRoute) or not route.include_in_schema:
        return
    request = connection
    check_query(request, query_names(route))
    if takes_json(route) and await request.body():
        require_json(request.headers.get("content-type"))


def check_query(request: Request, known: tuple[str, ...]) -> None:
    """Raise a 422 `Problem` if the request has query parameters that are not in `known`. The problem names up to 20 of
    these parameters."""
    unknown = [name for name in dict.fromkeys(request.query_params.keys()) if name not in known]
    if not unknown:
        return
    faults = [
        FieldError(name[:80], f"there is no parameter {name[:80]!r} here; {meant(name[:80], known)}")
        for name in unknown[:20]
    ]
    listed = "; ".join(fault.message for fault in faults[:5])
    raise Problem(422, "Unknown parameter", listed, errors=faults)


def query_names(route: APIRoute) -> tuple[str, ...]:
    """Return the names of an operation's query parameters, including the fields of a parameter model."""
    return tuple(_names(route.dependant))


def _names(dependant: Dependant) -> Iterator[str]:
    for field in dependant.query_params:
        annotation = field.field_info.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield from (each.alias or name for name, each in annotation.model_fields.items())
        else:
            yield field.alias
    for inner in dependant.dependencies:
        yield from _names(inner)


def takes_json(route: APIRoute) -> bool:
    """Return whether FastAPI parses the body of this operation as JSON."""
    return route.body_field is not None and not isinstance(route.body_field.field_info, Form)


def body_model(route: Any) -> Any:
    """Return the type by which the body of a route's operation is validated. Return `None` if the operation has no
    body, or if `route` is not a FastAPI route."""
    if not isinstance(route, APIRoute) or route.body_field is None:
        return None
    return route.body_field.field_info.annotation


def require_json(content_type: str | None, hint: str = _JSON_HINT) -> None:
    """Raise a 415 `Problem` unless the content type is `application/json` or `application/…+json`. `hint` is the last
    sentence of the problem's text."""
    message = Message()
    message["content-type"] = content_type or ""
    if message.get_content_maintype() == "application":
        subtype = message.get_content_subtype()
        if subtype == "json" or subtype.endswith("+json"):
            return
    sentence = f"The body is said to be {content_type[:100]}" if content_type else "The body has no Content-Type"
    raise Problem(415, "Not JSON", f"{sentence}, and this takes application/json. {hint}")
