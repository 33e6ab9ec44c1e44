"""Declare the routes of `/api/uploads`."""

from config_api.files.endpoints import router
from config_api.resource import Resource

RESOURCE = Resource(routers=(router,))
