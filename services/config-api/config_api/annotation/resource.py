"""Declare the routes of `/v1/annotations`."""

from config_api.annotation.annotator_endpoints import router as annotators
from config_api.annotation.label_endpoints import router as labels
from config_api.annotation.label_endpoints import work_router as work
from config_api.annotation.task_endpoints import router as tasks
from config_api.resource import Resource

RESOURCE = Resource(routers=(annotators, tasks, work, labels))
