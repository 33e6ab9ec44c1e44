"""Declare the routes of `/v1/datasets`, their versions and test cases."""

from config_api.datasets.case_endpoints import router as cases_router
from config_api.datasets.check_endpoints import CHECK_PATH
from config_api.datasets.check_endpoints import router as check_router
from config_api.datasets.endpoints import router as datasets_router
from config_api.datasets.version_endpoints import MAX_UPLOAD_BYTES, UPLOAD_PATHS
from config_api.datasets.version_endpoints import router as versions_router
from config_api.resource import FORM_BYTES, Resource

RESOURCE = Resource(
    routers=(check_router, datasets_router, versions_router, cases_router),
    larger_bodies=dict.fromkeys((UPLOAD_PATHS, CHECK_PATH), MAX_UPLOAD_BYTES + FORM_BYTES),
)
