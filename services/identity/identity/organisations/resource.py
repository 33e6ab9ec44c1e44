"""Declare the routes of `/api/organisations`."""

from identity.organisations.endpoints import router
from identity.resource import Resource

RESOURCE = Resource(routers=(router,))
