"""`/api/auth/sessions` and `/api/auth/second-factor`: a person's own sessions and second factor."""

from identity.account.endpoints import router
from identity.resource import Resource

RESOURCE = Resource(routers=(router,))
