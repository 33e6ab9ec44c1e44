"""Declare the routes of `/api/members`."""

from identity.members.endpoints import router
from identity.resource import Resource

RESOURCE = Resource(routers=(router,))
