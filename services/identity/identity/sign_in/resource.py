"""Declare the routes of `/api/auth`."""

from identity.resource import Resource
from identity.sign_in.endpoints import router

RESOURCE = Resource(routers=(router,))
