"""Declare the routes of `/api/password-resets`, and of `/api/auth/password-reset`, where the links are used."""

from identity.password_resets.endpoints import open_router, router
from identity.resource import Resource

RESOURCE = Resource(routers=(router, open_router))
