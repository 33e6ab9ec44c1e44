"""Declare the routes of `/api/audit-log`."""

from identity.audit_log.endpoints import router
from identity.resource import Resource

RESOURCE = Resource(routers=(router,))
