"""Declare the routes of `/v1/documents`."""

from config_api.documents.endpoints import MAX_UPLOAD_BYTES, PATH, router
from config_api.resource import FORM_BYTES, Resource

RESOURCE = Resource(routers=(router,), larger_bodies={PATH: MAX_UPLOAD_BYTES + FORM_BYTES})
