"""Declare the routes of `/api/invitations`."""

from identity.invitations.endpoints import router
from identity.resource import Resource

RESOURCE = Resource(routers=(router,))
