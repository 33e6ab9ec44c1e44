"""Declare the routes of `/api/providers`."""

from config_api.providers.endpoints import router
from config_api.resource import Resource

RESOURCE = Resource(routers=(router,))
