"""Declare the routes of `/api/suites`."""

from config_api.resource import Resource
from config_api.suites.endpoints import router

RESOURCE = Resource(routers=(router,))
