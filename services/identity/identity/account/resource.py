"""Declare the routes of `/api/auth/sessions` and `/api/auth/second-factor`, for a person's own account."""

from identity.account.endpoints import router
from identity.resource import Resource

RESOURCE = Resource(routers=(router,))
