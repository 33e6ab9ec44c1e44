"""Routers whose routes are added to an application without a copy.

FastAPI's `include_router` builds each route a second time, with the options of the application. This takes 50 to 100 ms
for each application. The routes of a `ServiceRouter` have the application's options from the start.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any

from fastapi import APIRouter, Depends, FastAPI
from fastapi.routing import APIRoute
from starlette.types import Receive, Scope, Send

from llmbench.access import VERBS, Resource, Verb, scope
from llmbench.http.authentication import require_allowed
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


ACCESS = "x-access"
"""The member of an operation in the OpenAPI documents that names the right it needs, such as `runs:create`."""


def needs(verb: Verb, resource: Resource | None = None) -> dict[str, Any]:
    """Return the `openapi_extra` of a route whose required right differs from the one that follows from its method and
    router.

    An example is a search that is sent as a POST: it needs only the right to read.
    """
    return {ACCESS: (verb, resource)}


class ServiceRoute(APIRoute):
    """A route that checks, before it reads the body, whether the requesting person may use it."""

    resource: Resource | None = None
    verb: Verb | None = None

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.resource is not None and self.verb is not None:
            require_allowed(self.resource, self.verb)
        await super().handle(scope, receive, send)


class ServiceRouter(APIRouter):
    """A router for routes that need rights on `resource`; `None` is only for routes that need no right."""

    def __init__(
        self,
        prefix: str = "",
        *,
        tags: list[str | Enum],
        resource: Resource | None,
        responses: Responses | None = None,
    ) -> None:
        super().__init__(prefix=prefix, tags=tags, route_class=ServiceRoute, **shared_options(responses))
        self._resource = resource

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """Add a route, and declare the right that it needs: by `needs` in `options`, or else by its method and the
        router's resource."""
        (method,) = options.get("methods") or ["GET"]
        extra = dict(options.pop("openapi_extra", None) or {})
        verb, resource = extra.pop(ACCESS, (VERBS[method], None))
        resource = resource or self._resource
        if resource is not None:
            extra[ACCESS] = scope(resource, verb)
        super().add_api_route(path, endpoint, openapi_extra=extra or None, **options)
        route = self.routes[-1]
        assert isinstance(route, ServiceRoute)
        route.resource, route.verb = resource, verb


def add_routes(app: FastAPI, router: APIRouter) -> None:
    """Add the routes of a router to the application. Those of a `ServiceRouter` are added without a copy (see the
    module). Any other router is added by `include_router`."""
    if isinstance(router, ServiceRouter):
        app.router.routes.extend(router.routes)
    else:
        app.include_router(router)


def _name(route: APIRoute) -> str:
    return route.name
