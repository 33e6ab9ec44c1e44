"""Declare the routes of `/api/evaluation-presets`."""

from config_api.presets.endpoints import router
from config_api.resource import Resource

RESOURCE = Resource(routers=(router,))
