"""Declare the routes that combine resources: imports, exports, and datasets made from collections or documents."""

from config_api.resource import Resource
from config_api.transfer.endpoints import (
    IMPORT_PATH,
    collections_router,
    documents_router,
    providers_router,
    router,
)
from config_api.transfer.schemas import MAX_IMPORT_BYTES

RESOURCE = Resource(
    routers=(providers_router, router, collections_router, documents_router),
    larger_bodies={IMPORT_PATH: MAX_IMPORT_BYTES},
    crosses=True,
)
