"""Declare the routes of `/api/collections`."""

from config_api.collections.endpoints import router
from config_api.resource import Resource

RESOURCE = Resource(routers=(router,))
