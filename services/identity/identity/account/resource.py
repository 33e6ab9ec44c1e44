"""`/api/auth/sessions` and `/api/auth/second-factor`: what belongs to a person."""

from identity.account.endpoints import router
from identity.resource import Resource

RESOURCE = Resource(routers=(router,))
