"""Declare the routes of `/api/evaluators`."""

from config_api.evaluators.endpoints import router
from config_api.resource import Resource

RESOURCE = Resource(routers=(router,))
