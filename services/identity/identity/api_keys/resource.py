"""Declare the routes of `/api/api-keys`."""

from identity.api_keys.endpoints import router
from identity.resource import Resource

RESOURCE = Resource(routers=(router,))
