"""Declare the routes of `/verify` and `/jwks`, for the edge and the other services."""

from identity.resource import Resource
from identity.verification.endpoints import router

RESOURCE = Resource(routers=(router,))
