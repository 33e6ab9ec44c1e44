"""Declare the routes of `/api/auth/issuers` and `/api/auth/logins`."""

from identity.openid_connect.endpoints import callback_router, router
from identity.resource import Resource

RESOURCE = Resource(routers=(router, callback_router))
