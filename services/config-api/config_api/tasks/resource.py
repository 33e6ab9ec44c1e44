"""Declare the routes of `/api/tasks`."""

from config_api.resource import Resource
from config_api.tasks.endpoints import router

RESOURCE = Resource(routers=(router,))
