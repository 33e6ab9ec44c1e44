"""Declare the routes of `/api/service-accounts`."""

from identity.resource import Resource
from identity.service_accounts.endpoints import router

RESOURCE = Resource(routers=(router,))
