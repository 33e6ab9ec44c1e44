"""Routers whose routes are added to an application without a copy.

FastAPI's `include_router` builds each route a second time, with the options of the application. This takes 50 to 100 ms
for each application. The routes of a `ServiceRouter` have the application's options from the start.
"""

from enum import Enum
from typing import Any

from fastapi import APIRouter, Depends, FastAPI
from fastapi.routing import APIRoute

from llmbench.http.openapi import EVERYWHERE, Responses
from llmbench.http.request_checks import check_request


def shared_options(responses: Responses | None = None) -> dict[str, Any]:
    """Return the keyword arguments that the application (`llmbench.http.web.make_app`) and its routers share.

    `responses` are added to the error responses that all operations have.
    """
    return {
        "generate_unique_id_function": _name,
        "responses": EVERYWHERE | (responses or {}),
        "dependencies": [Depends(check_request)],
    }


class ServiceRouter(APIRouter):
    def __init__(self, prefix: str = "", *, tags: list[str | Enum], responses: Responses | None = None) -> None:
        super().__init__(prefix=prefix, tags=tags, **shared_options(responses))


def add_routes(app: FastAPI, router: APIRouter) -> None:
    """Add the routes of a router to the application. Any other router than a `ServiceRouter` is included as usual."""
    if isinstance(router, ServiceRouter):
        app.router.routes.extend(router.routes)
    else:
        app.include_router(router)


def _name(route: APIRoute) -> str:
    return route.name
