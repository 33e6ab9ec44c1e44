"""Declare the routes of `/api/prompts`."""

from config_api.prompts.endpoints import router
from config_api.resource import Resource

RESOURCE = Resource(routers=(router,))
